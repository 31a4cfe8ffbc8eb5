package io.holdfast.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP proxy that delays everything, as a server in another zone does. It limits latency, not bandwidth: data that is
 * on its way does not delay the data behind it. Thread-safe.
 */
public final class DelayingProxy implements AutoCloseable {

    private static final Pattern JDBC_ADDRESS = Pattern.compile("//([^:/]+):(\\d+)/");
    private static final int BUFFER = 16_384;
    private static final byte[] END = {};

    private final String host;
    private final int port;
    private final long delayNanos;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private DelayingProxy(String host, int port, Duration roundTrip) {
        this.host = host;
        this.port = port;
        this.delayNanos = roundTrip.toNanos() / 2;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("accept", this::accept);
    }

    /** Starts a proxy in front of the server of a JDBC URL. */
    public static DelayingProxy to(String jdbcUrl, Duration roundTrip) {
        Matcher address = JDBC_ADDRESS.matcher(jdbcUrl);
        if (!address.find()) {
            throw new IllegalArgumentException("no host and port in " + jdbcUrl);
        }
        return new DelayingProxy(address.group(1), Integer.parseInt(address.group(2)), roundTrip);
    }

    /** Returns the same URL through the proxy. */
    public String through(String jdbcUrl) {
        return JDBC_ADDRESS
                .matcher(jdbcUrl)
                .replaceFirst("//" + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort() + "/");
    }

    @Override
    public void close() {
        closeQuietly(server);
        sockets.forEach(DelayingProxy::closeQuietly);
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = connected(server.accept());
            Socket target = connected(new Socket(host, port));
            forward(client, target);
            forward(target, client);
        }
    }

    private Socket connected(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private void forward(Socket from, Socket to) {
        BlockingQueue<Chunk> onTheWay = new LinkedBlockingQueue<>();
        start("read", () -> read(from, onTheWay));
        start("write", () -> write(to, onTheWay));
    }

    private void read(Socket from, BlockingQueue<Chunk> onTheWay) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = from.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                onTheWay.add(new Chunk(Arrays.copyOf(buffer, read), System.nanoTime() + delayNanos));
            }
        } finally {
            onTheWay.add(new Chunk(END, System.nanoTime()));
            sockets.remove(from);
        }
    }

    private static void write(Socket to, BlockingQueue<Chunk> onTheWay) throws IOException, InterruptedException {
        try (OutputStream out = to.getOutputStream()) {
            for (Chunk next = onTheWay.take(); next.content() != END; next = onTheWay.take()) {
                for (long left = next.leftNanos(); left > 0; left = next.leftNanos()) {
                    LockSupport.parkNanos(left);
                }
                out.write(next.content());
            }
        }
    }

    /** A thread that ends when its connection does. */
    private static void start(String name, Forwarding work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // The connection has ended.
                    }
                },
                "delaying-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // It is closed.
        }
    }

    private interface Forwarding {
        void run() throws IOException, InterruptedException;
    }

    private static final class Chunk {

        private final byte[] content;
        private final long dueNanos;

        Chunk(byte[] content, long dueNanos) {
            this.content = content;
            this.dueNanos = dueNanos;
        }

        byte[] content() {
            return content;
        }

        long leftNanos() {
            return dueNanos - System.nanoTime();
        }
    }
}

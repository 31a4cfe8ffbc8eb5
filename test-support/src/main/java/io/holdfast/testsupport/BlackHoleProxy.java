package io.holdfast.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP proxy that can become a black hole, as a host without power or a firewall that has forgotten its connections:
 * bytes disappear in both directions, without FIN and without RST. Also the end of a connection is not passed on.
 * Thread-safe.
 */
public final class BlackHoleProxy implements AutoCloseable {

    private static final Pattern JDBC_ADDRESS = Pattern.compile("//([^:/]+):(\\d+)/");
    private static final int BUFFER = 16_384;

    private final String host;
    private final int port;
    private final ServerSocket server;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile boolean swallowsNew;

    private BlackHoleProxy(String host, int port) {
        this.host = host;
        this.port = port;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("accept", this::accept);
    }

    /** Starts a proxy in front of the server of a JDBC URL. */
    public static BlackHoleProxy to(String jdbcUrl) {
        Matcher address = JDBC_ADDRESS.matcher(jdbcUrl);
        if (!address.find()) {
            throw new IllegalArgumentException("no host and port in " + jdbcUrl);
        }
        return new BlackHoleProxy(address.group(1), Integer.parseInt(address.group(2)));
    }

    /** Returns the same URL through the proxy. */
    public String through(String jdbcUrl) {
        return JDBC_ADDRESS
                .matcher(jdbcUrl)
                .replaceFirst("//" + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort() + "/");
    }

    /** Swallows everything on connections that are open now, permanently. New connections work. */
    public void swallowOpenConnections() {
        links.forEach(link -> link.swallows = true);
    }

    /** Swallows everything. New connections are accepted, but get no response. */
    public void swallowEverything() {
        swallowsNew = true;
        swallowOpenConnections();
    }

    /** Lets new connections work again. Those that were swallowed remain dead. */
    public void forwardNewConnections() {
        swallowsNew = false;
    }

    private void accept() throws IOException {
        while (true) {
            Link link = new Link(server.accept(), new Socket(host, port), swallowsNew);
            links.add(link);
            start("to-server", () -> link.pump(link.client, link.upstream));
            start("to-client", () -> link.pump(link.upstream, link.client));
        }
    }

    private static void start(String name, Pump pump) {
        Thread thread = new Thread(
                () -> {
                    try {
                        pump.run();
                    } catch (IOException e) {
                        // One of the sockets was closed.
                    }
                },
                "black-hole-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closeQuietly(server);
        links.forEach(Link::close);
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // It is closed.
        }
    }

    /** A connection of a client, and the one to the server behind it. */
    private final class Link {

        private final Socket client;
        private final Socket upstream;
        private volatile boolean swallows;

        Link(Socket client, Socket upstream, boolean swallows) {
            this.client = client;
            this.upstream = upstream;
            this.swallows = swallows;
        }

        void pump(Socket from, Socket to) throws IOException {
            byte[] buffer = new byte[BUFFER];
            try {
                InputStream input = from.getInputStream();
                for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                    if (!swallows) {
                        to.getOutputStream().write(buffer, 0, count);
                    }
                }
            } finally {
                if (!swallows) {
                    close();
                }
            }
        }

        void close() {
            links.remove(this);
            closeQuietly(client);
            closeQuietly(upstream);
        }
    }

    /** Work that ends when a socket is closed. */
    @FunctionalInterface
    private interface Pump {
        void run() throws IOException;
    }
}

package io.holdfast.testsupport;

import com.hazelcast.core.Hazelcast;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A stock Hazelcast member in its own process, on loopback, with only Hazelcast's jar on its class path. It is the only
 * member of its cluster and restarts empty, at the same address.
 */
public final class StockMember implements AutoCloseable {

    private final String cluster = "stock-" + UUID.randomUUID();
    private final int port = FreePort.find();
    private final Path directory;
    private final Path config;
    private JavaProcess process;

    /** Starts the member and does not wait until it accepts connections. */
    public StockMember() {
        try {
            this.directory = Files.createTempDirectory("stock-member");
            this.config = directory.resolve("hazelcast.yaml");
            Files.writeString(
                    config,
                    """
                    hazelcast:
                      cluster-name: %s
                      properties:
                        hazelcast.phone.home.enabled: false
                        hazelcast.shutdownhook.enabled: false
                        hazelcast.socket.bind.any: false
                      network:
                        port:
                          port: %d
                          auto-increment: false
                        interfaces:
                          enabled: true
                          interfaces: [127.0.0.1]
                        join:
                          auto-detection:
                            enabled: false
                          multicast:
                            enabled: false
                    """
                            .formatted(cluster, port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.process = start();
    }

    public String cluster() {
        return cluster;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Kills the process with SIGKILL and waits until it has exited. */
    public void kill() {
        process.kill();
        process.close();
    }

    /** Starts the member again after {@link #kill}. */
    public void restart() {
        process = start();
    }

    private JavaProcess start() {
        return JavaProcess.builder("com.hazelcast.core.server.HazelcastMemberStarter")
                .name("stock-member")
                .jvmOptions("-Dhazelcast.config=" + config)
                .classPath(jar().toString())
                .directory(directory)
                .start();
    }

    private static Path jar() {
        try {
            return Path.of(Hazelcast.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the state of the process and all of its output. */
    @Override
    public String toString() {
        return process.toString();
    }

    @Override
    public void close() {
        process.close();
        try {
            Files.deleteIfExists(config);
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

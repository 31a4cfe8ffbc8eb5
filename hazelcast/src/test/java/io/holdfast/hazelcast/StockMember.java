package io.holdfast.hazelcast;

import com.hazelcast.core.Hazelcast;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A member in a separate process, with only Hazelcast's jar on its class path. Closing it kills the process. */
final class StockMember implements AutoCloseable {

    private final String cluster = "stock-" + UUID.randomUUID();
    private final int port = TestMember.freePort();
    private final Path directory;
    private Process process;

    StockMember() {
        try {
            this.directory = Files.createTempDirectory("stock-member");
            Files.writeString(
                    directory.resolve("hazelcast.yaml"),
                    """
                    hazelcast:
                      cluster-name: %s
                      properties:
                        hazelcast.phone.home.enabled: false
                        hazelcast.socket.bind.any: false
                      network:
                        port:
                          port: %d
                          auto-increment: false
                        interfaces:
                          enabled: true
                          interfaces:
                            - 127.0.0.1
                        join:
                          auto-detection:
                            enabled: false
                          multicast:
                            enabled: false
                    """
                            .formatted(cluster, port));
            this.process = start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HazelcastWireBuilder client() {
        return HazelcastWire.client(cluster, "127.0.0.1:" + port);
    }

    /** As {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    void restart() {
        try {
            process = start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start() throws IOException {
        Path jar = Path.of(Hazelcast.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dhazelcast.config=" + directory.resolve("hazelcast.yaml"),
                        "-cp",
                        jar.toString(),
                        "com.hazelcast.core.server.HazelcastMemberStarter")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void awaitExit() {
        try {
            process.waitFor(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        awaitExit();
        try {
            Files.deleteIfExists(directory.resolve("hazelcast.yaml"));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

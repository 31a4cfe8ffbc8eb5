package io.holdfast.chaos;

import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A stock Hazelcast member: no Holdfast code is on its class path. */
final class StockMember {

    private final Path folder;
    private final String cluster;
    private final int port;

    StockMember(Path folder, String cluster) {
        this.folder = folder;
        this.cluster = cluster;
        this.port = freePort();
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    String cluster() {
        return cluster;
    }

    JavaProcess start() {
        Path config = folder.resolve("member.yaml");
        try {
            Files.writeString(
                    config,
                    """
                    hazelcast:
                      cluster-name: %s
                      properties:
                        hazelcast.phone.home.enabled: false
                        hazelcast.shutdownhook.enabled: false
                      network:
                        interfaces:
                          enabled: true
                          interfaces: [127.0.0.1]
                        port:
                          port: %d
                          auto-increment: false
                        join:
                          auto-detection:
                            enabled: false
                          multicast:
                            enabled: false
                    """
                            .formatted(cluster, port));
            Path jar = Path.of(HazelcastInstance.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return JavaProcess.start(
                    "member",
                    folder,
                    jar.toString(),
                    List.of("-Dhazelcast.config=" + config, "com.hazelcast.core.server.HazelcastMemberStarter"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

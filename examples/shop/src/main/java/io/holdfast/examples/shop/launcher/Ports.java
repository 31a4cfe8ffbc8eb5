package io.holdfast.examples.shop.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Looks whether the ports of the shop are free, before anything is started. */
final class Ports {

    private Ports() {}

    /**
     * @param wanted what each port is for
     * @throws ShopStartException that names all that are taken
     */
    static void requireFree(Map<Integer, String> wanted) {
        Map<Integer, String> taken = new TreeMap<>(wanted);
        taken.keySet().removeIf(Ports::isFree);
        if (!taken.isEmpty()) {
            throw new ShopStartException(
                    taken.entrySet().stream()
                            .map(entry -> "port " + entry.getKey() + " (" + entry.getValue() + ")")
                            .collect(
                                    Collectors.joining(
                                            ", ",
                                            "already in use: ",
                                            ". Is the demo running in another terminal? End it, or whatever listens there, and start again.")));
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // connections that are being closed do not count
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

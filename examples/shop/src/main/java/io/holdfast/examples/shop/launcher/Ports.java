package io.holdfast.examples.shop.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks that the ports of the shop are free before any service starts. */
final class Ports {

    private Ports() {}

    /**
     * @param required the ports, each with the name of what listens there
     * @throws ShopStartException if ports are in use; the message names all of them
     */
    static void requireFree(Map<Integer, String> required) {
        Map<Integer, String> inUse = new TreeMap<>(required);
        inUse.keySet().removeIf(Ports::isFree);
        if (!inUse.isEmpty()) {
            throw new ShopStartException(
                    inUse.entrySet().stream()
                            .map(entry -> "port " + entry.getKey() + " (" + entry.getValue() + ")")
                            .collect(
                                    Collectors.joining(
                                            ", ",
                                            "already in use: ",
                                            ". Is the demo running in another terminal? Stop it, or the process that listens there, and start again.")));
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // ports in TIME_WAIT count as free
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

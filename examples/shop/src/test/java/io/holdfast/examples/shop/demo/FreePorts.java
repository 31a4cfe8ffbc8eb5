package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports for a shop of a test, so that it does not meet another one. */
final class FreePorts {

    private static final int PORT_COUNT = 5;

    private FreePorts() {}

    /** Says to this process, and to those that take over its properties, where the shop is. */
    static void choose() {
        int first = find();
        System.setProperty(ShopService.FIRST_PORT_PROPERTY, String.valueOf(first));
        System.setProperty("shop.member-port", String.valueOf(first + PORT_COUNT - 1));
    }

    private static int find() {
        for (int i = 0; i < 100; i++) {
            int first = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            if (IntStream.range(first, first + PORT_COUNT).allMatch(FreePorts::isFree)) {
                return first;
            }
        }
        throw new IllegalStateException("there are no " + PORT_COUNT + " free ports");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}

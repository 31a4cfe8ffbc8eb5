package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Chooses free ports for a test's shop, so that it does not collide with another one. */
final class FreePorts {

    private static final int PORT_COUNT = 5;

    private FreePorts() {}

    /** Sets the ports as system properties of this process; {@link DemoProcess} passes them on. */
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
        throw new IllegalStateException("no " + PORT_COUNT + " adjacent free ports found");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}

package io.holdfast.examples.shop.demo;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.examples.shop.launcher.ShopService;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A stub of all services with canned responses; other paths return 404. */
final class StubShop implements AutoCloseable {

    private final List<HttpServer> servers = new ArrayList<>();
    private final Map<String, String> responses = new ConcurrentHashMap<>();
    private final Map<String, String> nextResponses = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    StubShop() throws IOException {
        for (ShopService service : ShopService.values()) {
            HttpServer server =
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()), 0);
            server.createContext("/", exchange -> {
                String path = exchange.getRequestURI().getPath();
                requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                String body = responses.get(path);
                String next = nextResponses.remove(path);
                if (next != null) {
                    responses.put(path, next);
                }
                byte[] bytes = (body == null ? "{}" : body).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length);
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(bytes);
                }
            });
            server.start();
            servers.add(server);
        }
    }

    StubShop respond(String path, String body) {
        responses.put(path, body);
        return this;
    }

    /** Sets the response from the second request on. */
    void thenRespond(String path, String body) {
        nextResponses.put(path, body);
    }

    /** Returns method, path and query of each request, in order. */
    List<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        servers.forEach(server -> server.stop(0));
    }
}

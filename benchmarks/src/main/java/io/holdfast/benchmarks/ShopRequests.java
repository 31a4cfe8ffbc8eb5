package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.examples.shop.launcher.ShopService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;

/** Requests of customers over HTTP. Thread-safe after {@link #prepare}. */
final class ShopRequests {

    /** As in {@code ./demo load}. */
    private static final int PRODUCTS = 20;

    private static final int CUSTOMERS = 20;
    private static final int ATTEMPTS = 300;
    private static final long PAUSE_NANOS = 100_000_000;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final JsonMapper json = new JsonMapper();
    private final String path;
    private final List<String> customers = new ArrayList<>();
    private final List<String> products = new ArrayList<>();

    /** @param path where orders are placed */
    ShopRequests(String path) {
        this.path = path;
    }

    /**
     * Creates customers and products, and places one order for each customer once the order service knows all of them.
     *
     * @return the number of orders
     */
    int prepare() {
        for (int i = 0; i < CUSTOMERS; i++) {
            customers.add(create(
                    ShopService.ACCOUNT,
                    "customer",
                    """
                    {"email": "%d@example.org", "name": "Ada", "address": "1 Harbour Road"}"""
                            .formatted(i)));
        }
        for (int i = 0; i < PRODUCTS; i++) {
            products.add(create(
                    ShopService.INVENTORY,
                    "product",
                    """
                    {"sku": "P-%d", "name": "Rope", "price": 12.35, "quantityOnHand": 1000000}"""
                            .formatted(i)));
        }
        int orders = Math.max(CUSTOMERS, PRODUCTS);
        for (int i = 0; i < orders; i++) {
            placeOnceKnown(i);
        }
        return orders;
    }

    private void placeOnceKnown(int number) {
        for (int attempt = 1; tryPlace(number) != 201; attempt++) {
            if (attempt == ATTEMPTS) {
                throw new PermanentException("the order service rejects orders after " + attempt + " attempts");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns when the shop has accepted the order. */
    void place(int number) {
        int status = tryPlace(number);
        if (status != 201) {
            throw new PermanentException("the order service responded with " + status);
        }
    }

    private int tryPlace(int number) {
        String body = """
                {"customerId": "%s", "lineItems": [{"productId": "%s", "quantity": 1}]}"""
                .formatted(customers.get(number % CUSTOMERS), products.get(number % PRODUCTS));
        return post(ShopService.ORDER, path, body).statusCode();
    }

    private String create(ShopService service, String kind, String body) {
        HttpResponse<String> response = post(service, "/api/" + kind + "s", body);
        if (response.statusCode() != 201) {
            throw new PermanentException(
                    "creating a " + kind + " failed: " + response.statusCode() + " " + response.body());
        }
        return json.readTree(response.body()).path(kind + "Id").asString();
    }

    /** With an idempotency key, as a client sends it that retries. */
    private HttpResponse<String> post(ShopService service, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service.address() + path))
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw Failures.of("POST " + path, e);
        }
    }
}

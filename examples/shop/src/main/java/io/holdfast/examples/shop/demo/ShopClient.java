package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** REST client of the shop, for customers' and operators' requests. Thread-safe. */
final class ShopClient {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /** Parses amounts exactly, with their trailing zeros. */
    private final JsonMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** One line of an order. */
    record Line(String productId, int quantity) {}

    String createCustomer(String email, String name) {
        return create(
                        ShopService.ACCOUNT,
                        "/api/customers",
                        "customer " + email,
                        Map.of("email", email, "name", name, "address", "1 Harbour Road"))
                .text("customerId");
    }

    /** Creates a product whose stock the replenishment monitor keeps above the reorder point. */
    void createReplenishedProduct(String sku, String name, BigDecimal price, int quantity) {
        create(
                ShopService.INVENTORY,
                "/api/products",
                "product " + sku,
                Map.of("sku", sku, "name", name, "price", price, "quantityOnHand", quantity, "replenish", true));
    }

    String createProduct(String sku, String name, BigDecimal price, int quantity, boolean backorder) {
        return create(
                        ShopService.INVENTORY,
                        "/api/products",
                        "product " + sku,
                        Map.of(
                                "sku",
                                sku,
                                "name",
                                name,
                                "price",
                                price,
                                "quantityOnHand",
                                quantity,
                                "backorder",
                                backorder))
                .text("productId");
    }

    void replenish(String productId, int quantity) {
        requireSuccess(send(
                ShopService.INVENTORY,
                "POST",
                "/api/products/" + productId + "/stock/replenish",
                Map.of("quantity", quantity)));
    }

    /** Idempotent: a repeated call with the same key returns what the first one created. */
    private ShopResponse create(ShopService service, String path, String key, Object body) {
        return requireSuccess(join(sendAsync(request(service, "POST", path, body)
                .header("Idempotency-Key", key)
                .build())));
    }

    /** @param key the idempotency key: a repeated request returns the same order */
    CompletableFuture<ShopResponse> placeOrder(String key, String customerId, List<Line> lines) {
        return placeOrder("/api/orders", key, customerId, lines);
    }

    /** As {@link #placeOrder}, by orchestration: the response tells whether the order was confirmed. */
    CompletableFuture<ShopResponse> placeOrchestratedOrder(String key, String customerId, List<Line> lines) {
        return placeOrder("/api/orders/orchestrated", key, customerId, lines);
    }

    private CompletableFuture<ShopResponse> placeOrder(String path, String key, String customerId, List<Line> lines) {
        return sendAsync(request(ShopService.ORDER, "POST", path, Map.of("customerId", customerId, "lineItems", lines))
                .header("Idempotency-Key", key)
                .build());
    }

    ShopResponse order(String orderId) {
        return requireSuccess(get(ShopService.ORDER, "/api/orders/" + orderId));
    }

    ShopResponse cancel(String orderId, String reason) {
        return requireSuccess(
                send(ShopService.ORDER, "PATCH", "/api/orders/" + orderId + "/cancel", Map.of("reason", reason)));
    }

    ShopResponse product(String productId) {
        return requireSuccess(get(ShopService.INVENTORY, "/api/products/" + productId));
    }

    /** @return the payment, or empty if none was requested yet */
    Optional<ShopResponse> payment(String orderId) {
        ShopResponse response = get(ShopService.PAYMENT, "/api/payments/order/" + orderId);
        return response.status() == 404 ? Optional.empty() : Optional.of(requireSuccess(response));
    }

    List<String> history(ShopService service, String kind, String id) {
        ShopResponse response = requireSuccess(get(service, "/api/" + kind + "/" + id + "/events"));
        return response.body()
                .valueStream()
                .map(event -> event.path("eventType").asString())
                .toList();
    }

    /** Returns the parked letters of an order's saga, as any service lists them. */
    List<JsonNode> lettersOfSaga(ShopService gateway, String orderId) {
        return requireSuccess(get(gateway, "/api/admin/dlq?sagaId=saga-" + orderId))
                .body()
                .valueStream()
                .toList();
    }

    ShopResponse letter(ShopService service, String id) {
        return get(service, "/api/admin/dlq/" + id);
    }

    ShopResponse replay(ShopService service, String id) {
        return send(service, "POST", "/api/admin/dlq/" + id + "/replay", Map.of());
    }

    ShopResponse receipt(ShopService gateway, String id) {
        return requireSuccess(get(gateway, "/api/admin/receipts/" + id));
    }

    ShopResponse saga(String orderId) {
        return requireSuccess(get(ShopService.ORDER, "/api/sagas/saga-" + orderId));
    }

    String sagaDiagram(String orderId) {
        return requireSuccess(get(ShopService.ORDER, "/api/sagas/saga-" + orderId + "/diagram"))
                .body()
                .asString();
    }

    Duration sagaDeadline(String type) {
        return requireSuccess(get(ShopService.ORDER, "/api/sagas/types"))
                .body()
                .valueStream()
                .filter(entry -> entry.path("sagaType").asString().equals(type))
                .map(entry -> Duration.ofMillis(entry.path("deadlineMs").asLong()))
                .findFirst()
                .orElseThrow(() -> new UnexpectedOutcomeException("the order service has no saga type " + type));
    }

    /** Returns the id of the process in which a service runs. */
    long pid(ShopService service) {
        return requireSuccess(get(service, "/api/demo")).body().path("pid").asLong();
    }

    boolean isPaused(ShopService service) {
        return requireSuccess(get(service, "/api/demo")).body().path("paused").asBoolean();
    }

    void pauseHandlers(ShopService service) {
        requireSuccess(send(service, "POST", "/api/demo/handlers/pause", null));
    }

    void resumeHandlers(ShopService service) {
        requireSuccess(send(service, "POST", "/api/demo/handlers/resume", null));
    }

    boolean isReady(ShopService service) {
        try {
            ShopResponse response = get(service, "/actuator/health/readiness");
            return response.isSuccess() && "UP".equals(response.text("status"));
        } catch (UnreachableException e) {
            return false;
        }
    }

    ShopResponse get(ShopService service, String path) {
        return send(service, "GET", path, null);
    }

    private ShopResponse send(ShopService service, String method, String path, @Nullable Object body) {
        return join(sendAsync(request(service, method, path, body).build()));
    }

    private HttpRequest.Builder request(ShopService service, String method, String path, @Nullable Object body) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(service.address() + path)).timeout(REQUEST_TIMEOUT);
        if (body == null) {
            return builder.method(method, HttpRequest.BodyPublishers.noBody());
        }
        return builder.header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)));
    }

    private CompletableFuture<ShopResponse> sendAsync(HttpRequest request) {
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).handle((response, failure) -> {
            if (failure != null) {
                throw new UnreachableException(request.method() + " " + request.uri(), failure);
            }
            return new ShopResponse(response.statusCode(), parseBody(response.body()));
        });
    }

    private JsonNode parseBody(String text) {
        try {
            return text.isEmpty() ? json.createObjectNode() : json.readTree(text);
        } catch (JacksonException e) {
            return StringNode.valueOf(text); // another server listens on this port
        }
    }

    private static ShopResponse join(CompletableFuture<ShopResponse> response) {
        try {
            return response.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UnreachableException unreachable) {
                throw unreachable;
            }
            throw e;
        }
    }

    private static ShopResponse requireSuccess(ShopResponse response) {
        if (!response.isSuccess()) {
            throw new UnexpectedOutcomeException(
                    "the shop responded with " + response.status() + ": " + response.body());
        }
        return response;
    }

    /** A request got no response. */
    static final class UnreachableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnreachableException(String call, Throwable cause) {
            super("no response to " + call + ": " + (cause instanceof IOException ? cause.getMessage() : cause), cause);
        }
    }
}

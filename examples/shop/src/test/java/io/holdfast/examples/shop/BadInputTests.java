package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.examples.shop.BadRequest.Service;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every invalid request is rejected with a problem detail, and no service stores anything. */
@ExtendWith(SharedShop.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTests {

    private static final String LONG_TEXT = "x".repeat(10_000);

    private final RunningShop shop;
    private final String customer;
    private final String product;
    private List<Long> heads = List.of();

    BadInputTests(RunningShop shop) {
        this.shop = shop;
        this.customer = shop.newCustomer();
        this.product = shop.newProduct("5.00", 10);
    }

    /** Waits until the orders of other tests have completed. */
    @BeforeEach
    void awaitIdle() {
        if (heads.isEmpty()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                List<Long> before = heads;
                heads = heads();
                return heads.equals(before);
            });
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"endpoints", "bodies"})
    void rejectsInvalidRequestWithProblemDetail(BadRequest request, int status, String message) {
        ServiceResponse response = request.send(shop, customer, product);

        assertThat(response.status()).as(response.body()).isEqualTo(status);
        assertThat(response.contentType()).startsWith("application/problem+json");
        assertThat(response.text("detail")).contains(message);
        assertThat(heads()).as("heads of the logs").isEqualTo(heads);
    }

    /** Invalid bodies for every endpoint that accepts one, and invalid ids for every endpoint with an id. */
    static Stream<Arguments> endpoints() {
        Stream<Arguments> bodies = Stream.of(
                        new Endpoint(Service.ACCOUNT, "POST", "/api/customers"),
                        new Endpoint(Service.INVENTORY, "POST", "/api/products"),
                        new Endpoint(Service.INVENTORY, "POST", "/api/products/$product/stock/replenish"),
                        new Endpoint(Service.ORDER, "POST", "/api/orders"),
                        new Endpoint(Service.ORDER, "POST", "/api/orders/orchestrated"),
                        new Endpoint(Service.ORDER, "PATCH", "/api/orders/none/cancel"))
                .flatMap(BadInputTests::badBodies);
        Stream<Arguments> paths = Stream.of(
                        new Endpoint(Service.ACCOUNT, "GET", "/api/customers/$id"),
                        new Endpoint(Service.ACCOUNT, "GET", "/api/customers/$id/events"),
                        new Endpoint(Service.INVENTORY, "GET", "/api/products/$id"),
                        new Endpoint(Service.INVENTORY, "GET", "/api/products/$id/events"),
                        new Endpoint(Service.ORDER, "GET", "/api/orders/$id"),
                        new Endpoint(Service.ORDER, "GET", "/api/orders/$id/events"),
                        new Endpoint(Service.PAYMENT, "GET", "/api/payments/$id"),
                        new Endpoint(Service.PAYMENT, "GET", "/api/payments/$id/events"),
                        new Endpoint(Service.PAYMENT, "GET", "/api/payments/order/$id"))
                .flatMap(BadInputTests::badIds);
        Stream<Arguments> others = Stream.of(Service.values())
                .flatMap(service -> Stream.of(
                        arguments(new BadRequest(service, "GET", "/api/nowhere", ""), 404, "api/nowhere"),
                        arguments(new BadRequest(service, "GET", "/", ""), 404, "No static resource")));
        return Stream.of(bodies, paths, others).flatMap(each -> each);
    }

    private static Stream<Arguments> badBodies(Endpoint at) {
        return Stream.of(
                at.rejects(
                        "{",
                        400,
                        "The request body is not valid JSON or has an unexpected structure (line 1, column 2)"),
                at.rejects("not json", 400, "The request body is not valid JSON"),
                at.rejects("{\"x\": NaN}", 400, "The request body is not valid JSON"),
                at.rejects("", 400, "A JSON request body is required"),
                at.rejects("null", 400, "A JSON request body is required"),
                at.rejects("[]", 400, "The request body is not valid JSON"),
                at.rejects("{}", 400, " must not be null"),
                at.rejects("[".repeat(20_000), 400, "The request body is not valid JSON"),
                at.rejects("{\"a\":".repeat(10_000), 400, "The request body is nested too deeply"),
                at.rejects("{\"a\": \"" + "x".repeat(65_536) + "\"}", 413, "exceeds the limit of 65536 bytes"),
                arguments(at.with("").withSize(BadRequest.Size.LARGE), 413, "exceeds the limit of 65536 bytes"),
                arguments(
                        at.with("").withSize(BadRequest.Size.LARGE_IN_CHUNKS), 413, "exceeds the limit of 65536 bytes"),
                arguments(at.with("<a/>").withContentType("application/xml"), 415, "application/xml"),
                arguments(new BadRequest(at.service(), "DELETE", at.path(), ""), 405, "DELETE"));
    }

    private static Stream<Arguments> badIds(Endpoint at) {
        return Stream.of(
                at.rejectsId("unknown", 404, "does not exist"),
                at.rejectsId("a%20b", 400, "must be an id"),
                at.rejectsId("%27%3B--", 400, "must be an id"),
                at.rejectsId("%C3%A4", 400, "must be an id"),
                at.rejectsId("%0A", 400, "must be an id"),
                at.rejectsId("%00", 400, "could not be parsed"),
                at.rejectsId("a%2Fb", 400, "could not be parsed"),
                at.rejectsId("%5C", 400, "could not be parsed"),
                at.rejectsId("%FF", 400, "could not be parsed"),
                at.rejectsId("..", 400, "must be an id"),
                at.rejectsId("a;b=c", 404, "does not exist"),
                at.rejectsId(LONG_TEXT, 400, "must be an id"),
                arguments(new BadRequest(at.service(), "PUT", at.path().replace("$id", "x"), ""), 405, "PUT"));
    }

    /** Invalid fields of each body, and invalid parameters. */
    static Stream<Arguments> bodies() {
        Function<String, BadRequest> customers =
                body -> new BadRequest(Service.ACCOUNT, "POST", "/api/customers", body);
        Function<String, BadRequest> products =
                body -> new BadRequest(Service.INVENTORY, "POST", "/api/products", body);
        Function<String, BadRequest> stock =
                body -> new BadRequest(Service.INVENTORY, "POST", "/api/products/$product/stock/replenish", body);
        Function<String, BadRequest> orders = body -> new BadRequest(Service.ORDER, "POST", "/api/orders", body);
        return Stream.of(
                rejected(customers, customer("5", "\"Ada\""), "email must be a string"),
                rejected(customers, customer("\"ada\"", "\"Ada\""), "email must be an e-mail address"),
                rejected(customers, customer("\"a@b.c\"", "null"), "name must not be null"),
                rejected(customers, customer("\"a@b.c\"", "\" \""), "name must be a non-blank string of at most 255"),
                rejected(
                        customers,
                        customer("\"a@b.c\"", "\"a\\u0000\""),
                        "name must be a non-blank string of at most 255"),
                rejected(
                        customers,
                        customer("\"a@b.c\"", "\"\\ud800\""),
                        "name must be a non-blank string of at most 255"),
                rejected(
                        customers,
                        customer("\"a@b.c\"", "\"" + LONG_TEXT + "\""),
                        "name must be a non-blank string of at most 255"),
                rejected(customers, customer("\"a@b.c\"", "{}"), "name must be a string"),
                rejected(customers, customer("\"a@b.c\"", "[\"Ada\"]"), "name must be a string"),
                rejected(products, product("0", "1"), "price must be greater than or equal to 0.01"),
                rejected(products, product("-5", "1"), "price must be greater than or equal to 0.01"),
                rejected(products, product("0.001", "1"), "price must have at most two decimals"),
                rejected(products, product("1000000.01", "1"), "price must be less than or equal to 1000000"),
                rejected(products, product("1e999999999", "1"), "price must be less than or equal"),
                rejected(products, product("1e-999999999", "1"), "price must be greater than or equal"),
                rejected(products, product("9".repeat(2_000), "1"), "contains a number with too many digits"),
                rejected(products, product("\"5.00\"", "1"), "price must be a number"),
                rejected(products, product("NaN", "1"), "The request body is not valid JSON"),
                rejected(products, product("true", "1"), "price must be a number"),
                rejected(products, product("5", "-1"), "quantityOnHand must be greater than or equal to 0"),
                rejected(products, product("5", "1000001"), "quantityOnHand must be less than or equal"),
                rejected(products, product("5", "2147483648"), "quantityOnHand must be an integer"),
                rejected(products, product("5", "1.5"), "quantityOnHand must be an integer"),
                rejected(products, product("5", "\"1\""), "quantityOnHand must be an integer"),
                rejected(products, product("5", "1, \"backorder\": \"yes\""), "backorder must be true or false"),
                rejected(products, product("5", "1, \"backorder\": 1"), "backorder must be true or false"),
                rejected(stock, "{\"quantity\": 0}", "quantity must be greater than or equal to 1"),
                rejected(stock, "{\"quantity\": -1}", "quantity must be greater than or equal to 1"),
                rejected(stock, "{\"quantity\": 1000001}", "quantity must be less than or equal to 1000000"),
                rejected(stock, "{\"quantity\": 1e400}", "quantity must be an integer"),
                arguments(
                        new BadRequest(
                                Service.INVENTORY,
                                "POST",
                                "/api/products/unknown/stock/replenish",
                                "{\"quantity\": 1}"),
                        404,
                        "Product unknown does not exist"),
                rejected(orders, order("5", "1"), "customerId must be a string"),
                rejected(orders, order("\"a b\"", "1"), "customerId must be an id"),
                rejected(orders, order("\"" + LONG_TEXT + "\"", "1"), "customerId must be an id"),
                rejected(orders, "{\"customerId\": \"$customer\"}", "lineItems must not be null"),
                rejected(orders, lines(""), "lineItems size must be between 1 and 100"),
                rejected(orders, lines("null"), "lineItems[0] must not be null"),
                rejected(orders, lines("{}"), "lineItems[0].productId must not be null; lineItems[0].quantity"),
                rejected(orders, lines("5"), "lineItems[0] must be an object"),
                rejected(orders, lines("{\"productId\": \"\", \"quantity\": 1}"), "lineItems[0].productId must"),
                rejected(
                        orders,
                        lines("{\"productId\": \"$product\", \"quantity\": 1},".repeat(100) + "{}"),
                        "lineItems size must be between 1 and 100"),
                rejected(orders, "{\"customerId\": \"$customer\", \"lineItems\": {}}", "lineItems must be an array"),
                rejected(orders, order("\"$customer\"", "0"), "lineItems[0].quantity must be greater than"),
                rejected(orders, order("\"$customer\"", "-1"), "lineItems[0].quantity must be greater than"),
                rejected(orders, order("\"$customer\"", "10001"), "lineItems[0].quantity must be less than"),
                rejected(orders, order("\"$customer\"", "1e30"), "lineItems[0].quantity must be an integer"),
                rejected(orders, order("\"$customer\"", "1.5"), "lineItems[0].quantity must be an integer"),
                rejected(orders, order("\"$customer\"", "\"1\""), "lineItems[0].quantity must be an integer"),
                arguments(orders.apply(order("\"missing\"", "1")), 422, "Unknown customer missing"),
                arguments(
                        orders.apply(lines("{\"productId\": \"nothing\", \"quantity\": 1}")),
                        422,
                        "Unknown product nothing"),
                arguments(
                        orders.apply(order("\"$customer\"", "1")).withHeader("Idempotency-Key", " "),
                        400,
                        "Idempotency-Key must be a non-blank string of at most 255"),
                arguments(
                        orders.apply(order("\"$customer\"", "1")).withHeader("Idempotency-Key", "k".repeat(256)),
                        400,
                        "Idempotency-Key must be a non-blank string of at most 255"),
                arguments(
                        new BadRequest(Service.ORDER, "PATCH", "/api/orders/unknown/cancel", "{\"reason\": \"late\"}"),
                        404,
                        "Order unknown does not exist"),
                arguments(
                        new BadRequest(Service.ORDER, "PATCH", "/api/orders/unknown/cancel", "{\"reason\": \"\"}"),
                        400,
                        "reason must be a non-blank string"),
                badParameter(Service.ORDER, "/api/orders?limit=0", "limit must be greater than or equal to 1"),
                badParameter(Service.ORDER, "/api/orders?limit=201", "limit must be less than or equal to 200"),
                badParameter(Service.ORDER, "/api/orders?limit=x", "limit must be an integer"),
                badParameter(Service.ORDER, "/api/orders?limit=99999999999", "limit must be an integer"),
                badParameter(
                        Service.ORDER,
                        "/api/orders?status=LOST",
                        "status must be one of PENDING, CONFIRMED, CANCELLED"),
                badParameter(Service.ORDER, "/api/orders?customerId=a%20b", "customerId must be an id"),
                badParameter(Service.ORDER, "/api/orders/customer/a%20b", "customerId must be an id"),
                badParameter(
                        Service.ORDER, "/api/orders/customer/x?limit=-1", "limit must be greater than or equal to 1"),
                badParameter(Service.INVENTORY, "/api/products?limit=101", "limit must be less than or equal to 100"),
                badParameter(
                        Service.INVENTORY,
                        "/api/products/x/events?after=-1",
                        "after must be greater than or equal to 0"),
                badParameter(
                        Service.PAYMENT,
                        "/api/payments/x/events?limit=501",
                        "limit must be less than or equal to 500"));
    }

    private List<Long> heads() {
        return shop.services().stream()
                .map(service -> service.engine().eventLog().position())
                .toList();
    }

    private static Arguments rejected(Function<String, BadRequest> endpoint, String body, String message) {
        return arguments(endpoint.apply(body), 400, message);
    }

    private static Arguments badParameter(Service service, String path, String message) {
        return arguments(new BadRequest(service, "GET", path, ""), 400, message);
    }

    private static String customer(String email, String name) {
        return "{\"email\": %s, \"name\": %s, \"address\": \"here\"}".formatted(email, name);
    }

    private static String product(String price, String quantity) {
        return "{\"sku\": \"S\", \"name\": \"N\", \"price\": %s, \"quantityOnHand\": %s}".formatted(price, quantity);
    }

    private static String order(String customer, String quantity) {
        return "{\"customerId\": %s, \"lineItems\": [{\"productId\": \"$product\", \"quantity\": %s}]}"
                .formatted(customer, quantity);
    }

    private static String lines(String items) {
        return "{\"customerId\": \"$customer\", \"lineItems\": [%s]}".formatted(items);
    }

    private record Endpoint(Service service, String method, String path) {

        BadRequest with(String body) {
            return new BadRequest(service, method, path, body);
        }

        Arguments rejects(String body, int status, String message) {
            return arguments(with(body), status, message);
        }

        Arguments rejectsId(String id, int status, String message) {
            return arguments(new BadRequest(service, method, path.replace("$id", id), ""), status, message);
        }
    }
}

package io.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
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

/** Whatever is wrong with a request, its caller is told so by a problem detail, and nothing is stored anywhere. */
@ExtendWith(SharedShop.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTests {

    private static final Function<RunningShop, RunningShop.Running> ACCOUNT = shop -> shop.account;
    private static final Function<RunningShop, RunningShop.Running> INVENTORY = shop -> shop.inventory;
    private static final Function<RunningShop, RunningShop.Running> ORDER = shop -> shop.order;
    private static final Function<RunningShop, RunningShop.Running> PAYMENT = shop -> shop.payment;
    private static final String LONG = "x".repeat(10_000);
    private static final byte[] TEN_MEGABYTES = new byte[10 * 1024 * 1024];

    private final RunningShop shop;
    private final String customer;
    private final String product;
    private List<Long> heads = List.of();

    BadInputTests(RunningShop shop) {
        this.shop = shop;
        this.customer = shop.newCustomer();
        this.product = shop.newProduct("5.00", 10);
    }

    /** What other tests have begun comes to its end first. */
    @BeforeEach
    void quiet() {
        if (heads.isEmpty()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                List<Long> before = heads;
                heads = heads();
                return heads.equals(before);
            });
        }
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource({"endpoints", "bodies"})
    void isRefusedWithAMessageThatNamesTheField(
            Function<RunningShop, RunningShop.Running> service, Case bad, int status, String message) {
        Answer answer = send(service.apply(shop), bad);

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        assertThat(answer.text("detail")).contains(message);
        assertThat(heads()).as("heads of the logs").isEqualTo(heads);
    }

    /** What goes wrong in the same way wherever something can be posted, and wherever something has an id. */
    static Stream<Arguments> endpoints() {
        Stream<Arguments> bodies = Stream.of(
                        new Endpoint(ACCOUNT, "POST", "/api/customers"),
                        new Endpoint(INVENTORY, "POST", "/api/products"),
                        new Endpoint(INVENTORY, "POST", "/api/products/$product/stock/replenish"),
                        new Endpoint(ORDER, "POST", "/api/orders"),
                        new Endpoint(ORDER, "PATCH", "/api/orders/none/cancel"))
                .flatMap(BadInputTests::badBodies);
        Stream<Arguments> paths = Stream.of(
                        new Endpoint(ACCOUNT, "GET", "/api/customers/$id"),
                        new Endpoint(ACCOUNT, "GET", "/api/customers/$id/events"),
                        new Endpoint(INVENTORY, "GET", "/api/products/$id"),
                        new Endpoint(INVENTORY, "GET", "/api/products/$id/events"),
                        new Endpoint(ORDER, "GET", "/api/orders/$id"),
                        new Endpoint(ORDER, "GET", "/api/orders/$id/events"),
                        new Endpoint(PAYMENT, "GET", "/api/payments/$id"),
                        new Endpoint(PAYMENT, "GET", "/api/payments/$id/events"),
                        new Endpoint(PAYMENT, "GET", "/api/payments/order/$id"))
                .flatMap(BadInputTests::badIds);
        Stream<Arguments> others = Stream.of(ACCOUNT, INVENTORY, ORDER, PAYMENT)
                .flatMap(service -> Stream.of(
                        arguments(service, new Case("GET", "/api/nowhere", ""), 404, "api/nowhere"),
                        arguments(service, new Case("GET", "/", ""), 404, "No static resource")));
        return Stream.of(bodies, paths, others).flatMap(each -> each);
    }

    private static Stream<Arguments> badBodies(Endpoint at) {
        return Stream.of(
                at.refuses("{", 400, "the body is not the JSON that is expected here; see line 1, column 2"),
                at.refuses("not json", 400, "the body is not the JSON"),
                at.refuses("{\"x\": NaN}", 400, "the body is not the JSON"),
                at.refuses("", 400, "the request needs a body of JSON"),
                at.refuses("null", 400, "the request needs a body of JSON"),
                at.refuses("[]", 400, "the body is not the JSON"),
                at.refuses("{}", 400, " must not be null"),
                at.refuses("[".repeat(20_000), 400, "the body is not the JSON"),
                at.refuses("{\"a\":".repeat(10_000), 400, "the body is nested too deeply"),
                at.refuses("{\"a\": \"" + "x".repeat(65_536) + "\"}", 413, "at most 65536 bytes"),
                arguments(at.service(), at.with("10 MB").body(TEN_MEGABYTES), 413, "at most 65536 bytes"),
                arguments(at.service(), at.with("10 MB in chunks").chunked(), 413, "at most 65536 bytes"),
                arguments(at.service(), at.with("<a/>").as("application/xml"), 415, "application/xml"),
                arguments(at.service(), new Case("DELETE", at.path(), ""), 405, "DELETE"));
    }

    private static Stream<Arguments> badIds(Endpoint at) {
        return Stream.of(
                at.refusesId("unknown", 404, "there is no "),
                at.refusesId("a%20b", 400, "must be an id"),
                at.refusesId("%27%3B--", 400, "must be an id"),
                at.refusesId("%C3%A4", 400, "must be an id"),
                at.refusesId("%0A", 400, "must be an id"),
                at.refusesId("%00", 400, "cannot be read"),
                at.refusesId("a%2Fb", 400, "cannot be read"),
                at.refusesId("%5C", 400, "cannot be read"),
                at.refusesId("%FF", 400, "cannot be read"),
                at.refusesId("..", 400, "must be an id"),
                at.refusesId("a;b=c", 404, "there is no "),
                at.refusesId(LONG, 400, "must be an id"),
                arguments(at.service(), new Case("PUT", at.path().replace("$id", "x"), ""), 405, "PUT"));
    }

    /** What goes wrong in the fields of each body and in the parameters. */
    static Stream<Arguments> bodies() {
        Function<String, Case> customers = body -> new Case("POST", "/api/customers", body);
        Function<String, Case> products = body -> new Case("POST", "/api/products", body);
        Function<String, Case> stock = body -> new Case("POST", "/api/products/$product/stock/replenish", body);
        Function<String, Case> orders = body -> new Case("POST", "/api/orders", body);
        return Stream.of(
                refused(ACCOUNT, customers, customer("5", "\"Ada\""), "email must be a text"),
                refused(ACCOUNT, customers, customer("\"nobody\"", "\"Ada\""), "email must be an e-mail address"),
                refused(ACCOUNT, customers, customer("\"a@b.c\"", "null"), "name must not be null"),
                refused(ACCOUNT, customers, customer("\"a@b.c\"", "\" \""), "name must be a text of 1 to 255"),
                refused(ACCOUNT, customers, customer("\"a@b.c\"", "\"a\\u0000\""), "name must be a text of 1 to 255"),
                refused(ACCOUNT, customers, customer("\"a@b.c\"", "\"\\ud800\""), "name must be a text of 1 to 255"),
                refused(ACCOUNT, customers, customer("\"a@b.c\"", "\"" + LONG + "\""), "name must be a text of 1"),
                refused(ACCOUNT, customers, customer("\"a@b.c\"", "{}"), "name must be a text"),
                refused(ACCOUNT, customers, customer("\"a@b.c\"", "[\"Ada\"]"), "name must be a text"),
                refused(INVENTORY, products, product("0", "1"), "price must be greater than or equal to 0.01"),
                refused(INVENTORY, products, product("-5", "1"), "price must be greater than or equal to 0.01"),
                refused(INVENTORY, products, product("0.001", "1"), "price must have at most two decimals"),
                refused(INVENTORY, products, product("1000000.01", "1"), "price must be less than or equal to 1000000"),
                refused(INVENTORY, products, product("1e999999999", "1"), "price must be less than or equal"),
                refused(INVENTORY, products, product("1e-999999999", "1"), "price must be greater than or equal"),
                refused(INVENTORY, products, product("9".repeat(2_000), "1"), "a number in it has too many digits"),
                refused(INVENTORY, products, product("\"5.00\"", "1"), "price must be a number"),
                refused(INVENTORY, products, product("NaN", "1"), "the body is not the JSON"),
                refused(INVENTORY, products, product("true", "1"), "price must be a number"),
                refused(INVENTORY, products, product("5", "-1"), "quantityOnHand must be greater than or equal to 0"),
                refused(INVENTORY, products, product("5", "1000001"), "quantityOnHand must be less than or equal"),
                refused(INVENTORY, products, product("5", "2147483648"), "quantityOnHand must be a whole number"),
                refused(INVENTORY, products, product("5", "1.5"), "quantityOnHand must be a whole number"),
                refused(INVENTORY, products, product("5", "\"1\""), "quantityOnHand must be a whole number"),
                refused(
                        INVENTORY,
                        products,
                        product("5", "1, \"backorder\": \"yes\""),
                        "backorder must be true or false"),
                refused(INVENTORY, products, product("5", "1, \"backorder\": 1"), "backorder must be true or false"),
                refused(INVENTORY, stock, "{\"quantity\": 0}", "quantity must be greater than or equal to 1"),
                refused(INVENTORY, stock, "{\"quantity\": -1}", "quantity must be greater than or equal to 1"),
                refused(INVENTORY, stock, "{\"quantity\": 1000001}", "quantity must be less than or equal to 1000000"),
                refused(INVENTORY, stock, "{\"quantity\": 1e400}", "quantity must be a whole number"),
                arguments(
                        INVENTORY,
                        new Case("POST", "/api/products/unknown/stock/replenish", "{\"quantity\": 1}"),
                        404,
                        "there is no product unknown"),
                refused(ORDER, orders, order("5", "1"), "customerId must be a text"),
                refused(ORDER, orders, order("\"a b\"", "1"), "customerId must be an id"),
                refused(ORDER, orders, order("\"" + LONG + "\"", "1"), "customerId must be an id"),
                refused(ORDER, orders, "{\"customerId\": \"$customer\"}", "lineItems must not be null"),
                refused(ORDER, orders, lines(""), "lineItems size must be between 1 and 100"),
                refused(ORDER, orders, lines("null"), "lineItems[0] must not be null"),
                refused(ORDER, orders, lines("{}"), "lineItems[0].productId must not be null; lineItems[0].quantity"),
                refused(ORDER, orders, lines("5"), "lineItems[0] must be an object"),
                refused(ORDER, orders, lines("{\"productId\": \"\", \"quantity\": 1}"), "lineItems[0].productId must"),
                refused(
                        ORDER,
                        orders,
                        lines(("{\"productId\": \"$product\", \"quantity\": 1},").repeat(100) + "{}"),
                        "lineItems size must be between 1 and 100"),
                refused(
                        ORDER,
                        orders,
                        "{\"customerId\": \"$customer\", \"lineItems\": {}}",
                        "lineItems must be a list"),
                refused(ORDER, orders, order("\"$customer\"", "0"), "lineItems[0].quantity must be greater than"),
                refused(ORDER, orders, order("\"$customer\"", "-1"), "lineItems[0].quantity must be greater than"),
                refused(ORDER, orders, order("\"$customer\"", "10001"), "lineItems[0].quantity must be less than"),
                refused(ORDER, orders, order("\"$customer\"", "1e30"), "lineItems[0].quantity must be a whole number"),
                refused(ORDER, orders, order("\"$customer\"", "1.5"), "lineItems[0].quantity must be a whole number"),
                refused(ORDER, orders, order("\"$customer\"", "\"1\""), "lineItems[0].quantity must be a whole number"),
                arguments(ORDER, orders.apply(order("\"nobody\"", "1")), 422, "there is no customer nobody"),
                arguments(
                        ORDER,
                        orders.apply(lines("{\"productId\": \"nothing\", \"quantity\": 1}")),
                        422,
                        "there is no product nothing"),
                arguments(
                        ORDER,
                        orders.apply(order("\"$customer\"", "1")).header("Idempotency-Key", " "),
                        400,
                        "Idempotency-Key must be a text of 1 to 255"),
                arguments(
                        ORDER,
                        orders.apply(order("\"$customer\"", "1")).header("Idempotency-Key", "k".repeat(256)),
                        400,
                        "Idempotency-Key must be a text of 1 to 255"),
                arguments(
                        ORDER,
                        new Case("PATCH", "/api/orders/unknown/cancel", "{\"reason\": \"late\"}"),
                        404,
                        "there is no order unknown"),
                arguments(
                        ORDER,
                        new Case("PATCH", "/api/orders/unknown/cancel", "{\"reason\": \"\"}"),
                        400,
                        "reason must be a text"),
                parameter(ORDER, "/api/orders?limit=0", "limit must be greater than or equal to 1"),
                parameter(ORDER, "/api/orders?limit=201", "limit must be less than or equal to 200"),
                parameter(ORDER, "/api/orders?limit=x", "limit must be a whole number"),
                parameter(ORDER, "/api/orders?limit=99999999999", "limit must be a whole number"),
                parameter(ORDER, "/api/orders?status=LOST", "status must be one of PENDING, CONFIRMED, CANCELLED"),
                parameter(ORDER, "/api/orders?customerId=a%20b", "customerId must be an id"),
                parameter(ORDER, "/api/orders/customer/a%20b", "customerId must be an id"),
                parameter(ORDER, "/api/orders/customer/x?limit=-1", "limit must be greater than or equal to 1"),
                parameter(INVENTORY, "/api/products?limit=101", "limit must be less than or equal to 100"),
                parameter(INVENTORY, "/api/products/x/events?after=-1", "after must be greater than or equal to 0"),
                parameter(PAYMENT, "/api/payments/x/events?limit=501", "limit must be less than or equal to 500"));
    }

    private Answer send(RunningShop.Running service, Case bad) {
        String path = bad.path().replace("$product", product);
        HttpRequest.Builder request = service.request(path).header("Content-Type", bad.contentType());
        if (!bad.headerName().isEmpty()) {
            request.header(bad.headerName(), bad.headerValue());
        }
        byte[] bytes = bad.bytes();
        HttpRequest.BodyPublisher body = bytes.length == 0
                ? HttpRequest.BodyPublishers.ofString(
                        bad.body().replace("$product", product).replace("$customer", customer))
                : bad.inChunks()
                        ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
                        : HttpRequest.BodyPublishers.ofByteArray(bytes);
        return service.send(request.method(bad.method(), body));
    }

    private List<Long> heads() {
        return shop.services().stream()
                .map(service -> service.engine().eventLog().position())
                .toList();
    }

    private static Arguments refused(
            Function<RunningShop, RunningShop.Running> service,
            Function<String, Case> endpoint,
            String body,
            String message) {
        return arguments(service, endpoint.apply(body), 400, message);
    }

    private static Arguments parameter(
            Function<RunningShop, RunningShop.Running> service, String path, String message) {
        return arguments(service, new Case("GET", path, ""), 400, message);
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

    private record Endpoint(Function<RunningShop, RunningShop.Running> service, String method, String path) {

        Case with(String body) {
            return new Case(method, path, body);
        }

        Arguments refuses(String body, int status, String message) {
            return arguments(service, with(body), status, message);
        }

        Arguments refusesId(String id, int status, String message) {
            return arguments(service, new Case(method, path.replace("$id", id), ""), status, message);
        }
    }

    /** One request; {@code $product} and {@code $customer} stand for what exists. */
    private record Case(
            String method,
            String path,
            String body,
            String contentType,
            String headerName,
            String headerValue,
            byte[] bytes,
            boolean inChunks) {

        Case(String method, String path, String body) {
            this(method, path, body, "application/json", "", "", new byte[0], false);
        }

        Case as(String type) {
            return new Case(method, path, body, type, headerName, headerValue, bytes, inChunks);
        }

        Case header(String name, String value) {
            return new Case(method, path, body, contentType, name, value, bytes, inChunks);
        }

        Case body(byte[] content) {
            return new Case(method, path, body, contentType, headerName, headerValue, content, inChunks);
        }

        Case chunked() {
            return new Case(method, path, body, contentType, headerName, headerValue, TEN_MEGABYTES, true);
        }

        @Override
        public String toString() {
            String all = method + " " + path + " " + headerName + " " + body;
            return all.length() > 120 ? all.substring(0, 120) + "…" : all;
        }
    }
}

package io.holdfast.examples.shop;

import static org.awaitility.Awaitility.await;

import io.holdfast.examples.shop.account.AccountApplication;
import io.holdfast.examples.shop.inventory.InventoryApplication;
import io.holdfast.examples.shop.order.OrderApplication;
import io.holdfast.examples.shop.payment.PaymentApplication;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.EventProcessor;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * All four services as separate applications in this JVM, each with its H2 file, connected by one wire and called over
 * HTTP.
 */
final class RunningShop implements AutoCloseable {

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final Wire wire = new InMemoryWire();
    private final List<String> arguments = new ArrayList<>();
    final RunningService account;
    final RunningService inventory;
    final RunningService order;
    final RunningService payment;

    /** @param properties additional properties of every service, each as {@code key=value} */
    RunningShop(Path data, String... properties) {
        arguments.addAll(List.of("--server.port=0", "--shop.data=" + data, "--shop.replenishment.interval=200ms"));
        Stream.of(properties).forEach(property -> arguments.add("--" + property));
        account = new RunningService(AccountApplication::application);
        inventory = new RunningService(InventoryApplication::application);
        order = new RunningService(OrderApplication::application);
        payment = new RunningService(PaymentApplication::application);
    }

    List<RunningService> services() {
        return List.of(account, inventory, order, payment);
    }

    String newCustomer() {
        ServiceResponse response = account.post(
                "/api/customers",
                """
                {"email": "ada@example.org", "name": "Ada", "address": "1 Analytical Way"}""");
        return response.text("customerId");
    }

    String newProduct(String price, int quantity) {
        return newProduct(price, quantity, "");
    }

    /** @param more additional JSON fields, each with a leading comma */
    String newProduct(String price, int quantity, String more) {
        ServiceResponse response = inventory.post(
                "/api/products",
                """
                {"sku": "T-1", "name": "Tea", "price": %s, "quantityOnHand": %d%s}"""
                        .formatted(price, quantity, more));
        return response.text("productId");
    }

    /** @param lines alternating product ids and quantities */
    static String orderJson(String customerId, Object... lines) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < lines.length; i += 2) {
            items.append(i == 0 ? "" : ", ")
                    .append("{\"productId\": \"%s\", \"quantity\": %s}".formatted(lines[i], lines[i + 1]));
        }
        return "{\"customerId\": \"%s\", \"lineItems\": [%s]}".formatted(customerId, items);
    }

    @Override
    public void close() {
        services().forEach(RunningService::stop);
    }

    final class RunningService {

        private final Supplier<SpringApplicationBuilder> application;
        private ConfigurableApplicationContext context;

        private RunningService(Supplier<SpringApplicationBuilder> application) {
            this.application = application;
            this.context = run();
        }

        private ConfigurableApplicationContext run() {
            return application
                    .get()
                    .initializers(starting -> starting.getBeanFactory().registerSingleton("sharedWire", wire))
                    .run(arguments.toArray(String[]::new));
        }

        void stop() {
            context.close();
        }

        /** Starts the service again, with the data that it had. */
        void restart() {
            context = run();
        }

        /** Stops all handlers until {@link #resume}; the service still accepts requests. */
        void pause() {
            engine().processors().keySet().forEach(this::pause);
        }

        /** Returns when no handler of the processor runs any more. */
        void pause(String processor) {
            engine().processor(processor).pause();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> engine().processor(processor).status().paused());
        }

        void resume() {
            engine().processors().values().forEach(EventProcessor::resume);
        }

        HoldfastService engine() {
            return context.getBean(HoldfastService.class);
        }

        ServiceResponse get(String path) {
            return send(request(path).GET());
        }

        ServiceResponse post(String path, String body, String... headers) {
            return send("POST", path, body, headers);
        }

        ServiceResponse patch(String path, String body) {
            return send("PATCH", path, body);
        }

        private ServiceResponse send(String method, String path, String body, String... headers) {
            HttpRequest.Builder request = request(path)
                    .header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return send(request);
        }

        private String baseUrl() {
            return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
        }

        HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(URI.create(baseUrl() + path)).timeout(Duration.ofSeconds(30));
        }

        ServiceResponse send(HttpRequest.Builder request) {
            try {
                return ServiceResponse.of(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the test was interrupted", e);
            }
        }
    }
}

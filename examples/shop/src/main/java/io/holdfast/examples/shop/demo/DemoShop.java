package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.examples.shop.launcher.MultiProcessShop;
import io.holdfast.examples.shop.launcher.Shop;
import io.holdfast.examples.shop.launcher.ShopService;
import io.holdfast.examples.shop.launcher.ShopStartException;
import io.holdfast.examples.shop.launcher.SingleProcessShop;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The shop that a command works with: starts it, or uses the running one, and deletes its data. */
final class DemoShop {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private final DemoOptions options;
    private final ShopClient shop;
    private final PrintStream out;

    DemoShop(DemoOptions options, ShopClient shop, PrintStream out) {
        this.options = options;
        this.shop = shop;
        this.out = out;
    }

    /** Runs the task in the running shop, or in one that is started for it. */
    void withShop(ShopTask task) throws InterruptedException {
        if (Arrays.stream(ShopService.values()).anyMatch(shop::isReady)) {
            awaitReady(Instant.now()); // a second shop would fail on the ports of this one
            task.run();
            return;
        }
        out.println("No running shop found; starting one for this command.");
        Shop running = start();
        try {
            task.run();
        } finally {
            running.close();
        }
    }

    void runUntilShutdown() throws InterruptedException {
        CountDownLatch shutdown = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            shutdown.countDown();
            awaitQuietly(closed);
        }));
        try {
            Shop running = start();
            try {
                announceAndWait(shutdown);
            } finally {
                running.close();
            }
        } finally {
            closed.countDown();
        }
    }

    private void announceAndWait(CountDownLatch shutdown) throws InterruptedException {
        String example = SampleData.load(shop);
        out.println("\nThe shop is running:");
        for (ShopService service : ShopService.values()) {
            out.printf("  %-10s %s/swagger-ui.html%n", service.serviceName(), service.address());
        }
        out.println("\nPlace an order:\n  " + example.replace("\n", "\n  "));
        out.println("\nTry in another terminal:\n  ./demo scenario 7\n  ./demo load --rate 50 --seconds 30");
        out.println("\nData: " + options.data() + "\nLogs: " + options.data().resolve("logs"));
        out.println("Press Ctrl-C to stop the shop. Its data is kept for the next start.");
        shutdown.await();
        out.println("\nStopping the shop ...");
    }

    private Shop start() throws InterruptedException {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String sagaType : List.of(OrderFulfillment.TYPE, OrderFulfillment.ORCHESTRATED_TYPE)) {
            properties.put(
                    "saga.timeout.saga-types." + sagaType,
                    options.sagaDeadline().toMillis() + "ms");
        }
        options.database()
                .ifPresent(url -> properties.put(
                        "spring.datasource.url",
                        url.replace(DemoOptions.SERVICE_PLACEHOLDER, "${spring.application.name}")));
        Path data = options.data().toAbsolutePath();
        logToFile(data);
        out.println(options.processes() ? "Starting the shop, one JVM per service ..." : "Starting the shop ...");
        Instant startedAt = Instant.now();
        Shop running = options.processes()
                ? MultiProcessShop.start(data, properties, out::println)
                : SingleProcessShop.start(data, properties);
        try {
            awaitReady(startedAt);
            out.printf(
                    Locale.ROOT,
                    "Ready in %.1f s (%.1f s since the JVM started).%n",
                    secondsSince(startedAt),
                    secondsSince(Instant.ofEpochMilli(
                            ManagementFactory.getRuntimeMXBean().getStartTime())));
            return running;
        } catch (RuntimeException | InterruptedException e) {
            running.close();
            throw e;
        }
    }

    /**
     * Writes one log for all services of this process. Spring Boot's logging system is disabled because each of the
     * four services would initialize it again.
     */
    private static void logToFile(Path data) {
        System.setProperty("shop.log", data.resolve("logs").resolve("shop.log").toString());
        System.setProperty("logback.configurationFile", "logback-demo.xml");
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    private void awaitReady(Instant startedAt) throws InterruptedException {
        for (ShopService service : ShopService.values()) {
            while (!shop.isReady(service)) {
                if (Instant.now().isAfter(startedAt.plus(START_TIMEOUT))) {
                    throw new ShopStartException(service.serviceName() + " is not ready after "
                            + START_TIMEOUT.toSeconds() + " s; see " + service.address() + "/actuator/health"
                            + (options.processes()
                                    ? " and the logs in " + options.data().resolve("logs")
                                    : ""));
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    private static double secondsSince(Instant since) {
        return Duration.between(since, Instant.now()).toMillis() / 1000.0;
    }

    void reset() {
        if (Arrays.stream(ShopService.values()).anyMatch(shop::isReady)) {
            throw new ShopStartException("the shop is running; stop it before you reset its data");
        }
        if (!Files.isDirectory(options.data())) {
            out.println("No shop data found in " + options.data() + ".");
            return;
        }
        try {
            ShopData.remove(options.data());
        } catch (IOException e) {
            throw new ShopStartException("cannot delete the data in " + options.data() + ": " + e.getMessage(), e);
        }
        out.println("Deleted the shop's data in " + options.data() + ".");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                System.err.println("demo: the shop did not stop within 60 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Work that needs a running shop. */
    interface ShopTask {
        void run() throws InterruptedException;
    }
}

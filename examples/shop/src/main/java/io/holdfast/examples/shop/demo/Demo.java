package io.holdfast.examples.shop.demo;

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
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The demo's command line. */
public final class Demo {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private final PrintStream out;
    private final DemoOptions options;
    private final ShopClient shop = new ShopClient();

    private Demo(DemoOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Exits with 0 if all went as it must, 1 if not, 2 if the command line was wrong. */
    public static void main(String... arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        try {
            new Demo(DemoOptions.parse(arguments), out).run();
            return 0;
        } catch (InvalidOptionException e) {
            err.println("demo: " + e.getMessage());
            return 2;
        } catch (ShopStartException | UnexpectedOutcomeException | ShopClient.UnreachableException e) {
            err.println("demo: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private void run() throws InterruptedException {
        switch (options.command()) {
            case HELP -> out.print(DemoOptions.HELP);
            case RESET -> reset();
            case RUN -> runUntilShutdown();
            case SCENARIO ->
                withShop(() -> new Scenarios(shop, new Narrator(out, !options.yes())).run(options.scenario()));
            case LOAD -> withShop(() -> new Load(shop, out, isTerminal()).run(options));
        }
    }

    /** In the shop that runs, or in one for this alone. */
    private void withShop(ShopTask work) throws InterruptedException {
        if (Arrays.stream(ShopService.values()).anyMatch(shop::isReady)) {
            awaitReady(Instant.now()); // another shop would find the ports of this one taken
            work.run();
            return;
        }
        out.println("No shop is running here, so one is started for this.");
        Shop started = start();
        try {
            work.run();
        } finally {
            started.close();
        }
    }

    private void runUntilShutdown() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ended.countDown();
            awaitQuietly(closed);
        }));
        try {
            Shop started = start();
            try {
                announceAndWait(ended);
            } finally {
                started.close();
            }
        } finally {
            closed.countDown();
        }
    }

    private void announceAndWait(CountDownLatch ended) throws InterruptedException {
        String example = SampleData.load(shop);
        out.println();
        for (ShopService service : ShopService.values()) {
            out.printf("  %-10s %s/swagger-ui.html%n", service.serviceName(), service.address());
        }
        out.println("\nOrder something:\n  " + example.replace("\n", "\n  "));
        out.println(
                "\nIn another terminal: ./demo scenario 7, ./demo load --rate 50 --seconds 30. Ctrl-C ends the shop; its data"
                        + " stays in " + options.data() + ", its log in "
                        + options.data().resolve("logs") + ".");
        ended.await();
        out.println("\nEnding the shop ...");
    }

    private Shop start() throws InterruptedException {
        Map<String, String> properties = options.database()
                .map(url -> Map.of("spring.datasource.url", url.replace("{service}", "${spring.application.name}")))
                .orElse(Map.of());
        Path data = options.data().toAbsolutePath();
        logToFile(data);
        out.println(
                options.processes() ? "Starting the shop, a process for each service ..." : "Starting the shop ...");
        Instant begun = Instant.now();
        Shop started = options.processes()
                ? MultiProcessShop.start(data, properties, out::println)
                : SingleProcessShop.start(data, properties);
        try {
            awaitReady(begun);
            out.printf(
                    Locale.ROOT,
                    "Ready after %.1f s (%.1f s since the Java process began).%n",
                    secondsSince(begun),
                    secondsSince(Instant.ofEpochMilli(
                            ManagementFactory.getRuntimeMXBean().getStartTime())));
            return started;
        } catch (RuntimeException | InterruptedException e) {
            started.close();
            throw e;
        }
    }

    /** One log for all services of this process; Spring Boot's own would be set up four times, each time by another of them. */
    private static void logToFile(Path data) {
        System.setProperty("shop.log", data.resolve("logs").resolve("shop.log").toString());
        System.setProperty("logback.configurationFile", "logback-demo.xml");
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    private void awaitReady(Instant begun) throws InterruptedException {
        for (ShopService service : ShopService.values()) {
            while (!shop.isReady(service)) {
                if (Instant.now().isAfter(begun.plus(START_TIMEOUT))) {
                    throw new ShopStartException(service.serviceName() + " is not ready after "
                            + START_TIMEOUT.toSeconds() + " s; " + service.address() + "/actuator/health"
                            + (options.processes()
                                    ? ", and the logs in " + options.data().resolve("logs")
                                    : "")
                            + " say more");
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    private static double secondsSince(Instant since) {
        return Duration.between(since, Instant.now()).toMillis() / 1000.0;
    }

    private void reset() {
        if (Arrays.stream(ShopService.values()).anyMatch(shop::isReady)) {
            throw new ShopStartException("the shop is running; end it first, then reset");
        }
        if (!Files.isDirectory(options.data())) {
            out.println("There is no data in " + options.data() + ".");
            return;
        }
        try {
            ShopData.remove(options.data());
        } catch (IOException e) {
            throw new ShopStartException("cannot remove the data in " + options.data() + ": " + e.getMessage(), e);
        }
        out.println("Removed the data of the shop in " + options.data() + ".");
    }

    private static boolean isTerminal() {
        return Boolean.getBoolean("holdfast.demo.terminal");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                System.err.println("demo: the shop did not end within a minute");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Something to do while a shop runs. */
    private interface ShopTask {
        void run() throws InterruptedException;
    }
}

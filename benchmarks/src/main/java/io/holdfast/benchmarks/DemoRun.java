package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.examples.shop.launcher.SingleProcessShop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One run of the example shop, as {@code ./demo} starts it in one process: four Spring Boot services, each with its own
 * H2 file, that share one Hazelcast member. The callers use HTTP.
 */
final class DemoRun {

    private static final Logger ROOT_LOGGER = Logger.getLogger("");

    private static final String CHOREOGRAPHED = "/api/orders";
    private static final String ORCHESTRATED = "/api/orders/orchestrated";

    private final int orders;
    private final int callers;

    DemoRun(int orders, int callers) {
        this.orders = orders;
        this.callers = callers;
        ROOT_LOGGER.setLevel(Level.SEVERE);
        // Otherwise each of the four services would configure logging again.
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    }

    /** Runs choreographed orders, with or without tracking them. */
    TrackingFigures runTracked(boolean tracked, boolean counting) {
        return run(CHOREOGRAPHED, tracked, counting);
    }

    /** Runs orders in one of the two flows. */
    TrackingFigures runFlow(boolean orchestrated, boolean counting) {
        return run(orchestrated ? ORCHESTRATED : CHOREOGRAPHED, true, counting);
    }

    private TrackingFigures run(String path, boolean tracked, boolean counting) {
        try (TemporaryFolder data = new TemporaryFolder()) {
            SingleProcessShop shop = SingleProcessShop.start(data.path(), properties(tracked, counting));
            try (OrderLog log = new OrderLog(data.path())) {
                return measure(path, log, tracked);
            } finally {
                shop.close();
            }
        }
    }

    private TrackingFigures measure(String path, OrderLog log, boolean tracked) {
        ShopRequests requests = new ShopRequests(path);
        int before = requests.prepare();
        log.awaitConfirmed(before);
        TrackingFigures figures = TrackingFigures.measure(orders, CountedOrderStatements.COUNTED, () -> {
            OrderCallers.placeAll(callers, orders, requests::place);
            log.awaitConfirmed(before + orders);
        });
        requireSagas(log.completedSagas(), tracked ? before + orders : 0);
        return figures;
    }

    private static Map<String, String> properties(boolean tracked, boolean counting) {
        List<String> sources = new ArrayList<>();
        if (!tracked) {
            sources.add(WithoutSagas.class.getName());
        }
        if (counting) {
            sources.add(CountedOrderStatements.class.getName());
        }
        return sources.isEmpty() ? Map.of() : Map.of("spring.main.sources", String.join(",", sources));
    }

    private static void requireSagas(int completed, int expected) {
        if (completed != expected) {
            throw new PermanentException(
                    completed + " sagas are COMPLETED instead of " + expected + " (-1: others are not)");
        }
    }
}

package io.holdfast.examples.shop.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** {@code ./demo load}: places orders, prints progress and latencies, and reconciles stock and payments at the end. */
final class Load {

    private static final int MAX_SHOWN = 10;

    private final ShopClient shop;
    private final PrintStream out;
    private final boolean terminal;

    Load(ShopClient shop, PrintStream out, boolean terminal) {
        this.shop = shop;
        this.out = out;
        this.terminal = terminal;
    }

    /** @throws UnexpectedOutcomeException if an order was rejected or the reconciliation finds a discrepancy */
    void run(DemoOptions options) throws InterruptedException {
        String run = UUID.randomUUID().toString().substring(0, 8);
        out.printf(
                "Load %s: %s for %d s%s. One order in ten exceeds the payment limit, one in ten is out of stock.%n",
                run,
                options.clients() > 0 ? options.clients() + " clients" : options.rate() + " orders per second",
                options.seconds(),
                options.orchestrated() > 0 ? ", " + options.orchestrated() + " % of them orchestrated" : "");
        LoadProducts products = LoadProducts.create(shop, run);
        try (LoadRun load = new LoadRun(shop, products, run, options.orchestrated())) {
            Runnable progress = () -> printProgress(load);
            if (options.clients() > 0) {
                load.runWithClients(options.clients(), options.seconds(), progress);
            } else {
                load.runAtRate(options.rate(), options.seconds(), progress);
            }
            LoadReconciliation reconciliation = new LoadReconciliation(shop, products.stock());
            reconciliation.reconcile(
                    load.accepted(), open -> printStatusLine("waiting for " + open + " orders to complete"));
            out.println();
            report(load, reconciliation);
        }
    }

    private void printProgress(LoadRun load) {
        printStatusLine(String.format(
                Locale.ROOT,
                "%4d s  submitted %d  accepted %d  no response %d  server errors %d",
                Duration.between(load.startedAt(), Instant.now()).toSeconds(),
                load.submitted(),
                load.accepted().size(),
                load.unanswered(),
                load.serverErrors()));
    }

    private void printStatusLine(String text) {
        if (terminal) {
            out.print("\r\033[K" + text);
            out.flush();
        } else {
            out.println(text);
        }
    }

    private void report(LoadRun load, LoadReconciliation reconciliation) {
        int completed = reconciliation.confirmed() + reconciliation.cancelled();
        double seconds =
                Duration.between(load.startedAt(), reconciliation.lastEndedAt()).toMillis() / 1000.0;
        out.printf(
                Locale.ROOT,
                "orders       accepted %d (%d after a retry), rejected %d, confirmed %d, cancelled %d%n"
                        + "throughput   %.1f completed orders per second%n",
                load.accepted().size(),
                load.accepted().stream().filter(order -> order.attempts() > 1).count(),
                load.rejected().size(),
                reconciliation.confirmed(),
                reconciliation.cancelled(),
                seconds > 0 ? completed / seconds : 0);
        out.println("response     "
                + percentiles(
                        load.accepted().stream().map(LoadOrder::responseTime).toList()));
        out.println("fulfillment  " + percentiles(reconciliation.fulfillmentTimes()));
        out.printf("failures     no response %d, server errors %d%n", load.unanswered(), load.serverErrors());
        load.rejected().stream().distinct().limit(MAX_SHOWN).forEach(text -> out.println("REJECTED: " + text));
        reconciliation.discrepancies().stream().limit(MAX_SHOWN).forEach(text -> out.println("DISCREPANCY: " + text));
        if (!reconciliation.discrepancies().isEmpty() || !load.rejected().isEmpty()) {
            throw new UnexpectedOutcomeException(
                    "reconciliation failed: " + reconciliation.discrepancies().size() + " discrepancies, "
                            + load.rejected().size() + " orders rejected");
        }
        out.println("RECONCILED: " + reconciliation.captured() + " captured for " + reconciliation.confirmed()
                + " confirmed orders; stock and payments match exactly");
    }

    private static String percentiles(List<Duration> times) {
        if (times.isEmpty()) {
            return "none";
        }
        List<Duration> sorted = times.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                percentileMillis(sorted, 0.50),
                percentileMillis(sorted, 0.99),
                percentileMillis(sorted, 1.0));
    }

    private static double percentileMillis(List<Duration> sorted, double share) {
        int index = (int) Math.ceil(share * sorted.size()) - 1;
        return sorted.get(Math.max(0, index)).toNanos() / 1e6;
    }
}

package io.holdfast.examples.shop.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** {@code ./demo load}: orders, a line of progress, latencies, and the books at the end. */
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

    /** @throws UnexpectedOutcomeException if the books do not balance */
    void run(DemoOptions options) throws InterruptedException {
        String run = UUID.randomUUID().toString().substring(0, 8);
        out.printf(
                "Load %s: %s for %d s; one order in ten cannot be paid, one in ten has no stock.%n",
                run,
                options.clients() > 0 ? options.clients() + " clients" : options.rate() + " orders a second",
                options.seconds());
        LoadProducts products = LoadProducts.create(shop, run);
        try (LoadRun load = new LoadRun(shop, products, run)) {
            Runnable progress = () -> printProgress(load);
            if (options.clients() > 0) {
                load.runWithClients(options.clients(), options.seconds(), progress);
            } else {
                load.runAtRate(options.rate(), options.seconds(), progress);
            }
            LoadReconciliation books = new LoadReconciliation(shop, products.stock());
            books.reconcile(load.accepted(), open -> printStatusLine("waiting for " + open + " orders to end"));
            out.println();
            report(load, books);
        }
    }

    private void printProgress(LoadRun load) {
        printStatusLine(String.format(
                Locale.ROOT,
                "%4d s  begun %d  accepted %d  not answered %d  server errors %d",
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

    private void report(LoadRun load, LoadReconciliation books) {
        int ended = books.confirmed() + books.cancelled();
        double seconds = Duration.between(load.startedAt(), books.lastEndedAt()).toMillis() / 1000.0;
        out.printf(
                Locale.ROOT,
                "accepted %d (%d asked for again), refused %d; confirmed %d, cancelled %d; %.1f orders completed a second%n",
                load.accepted().size(),
                load.accepted().stream().filter(order -> order.attempts() > 1).count(),
                load.rejected().size(),
                books.confirmed(),
                books.cancelled(),
                seconds > 0 ? ended / seconds : 0);
        out.println("answer     "
                + percentiles(
                        load.accepted().stream().map(LoadOrder::responseTime).toList()));
        out.println("fulfilment " + percentiles(books.fulfillmentTimes()));
        out.printf("not answered %d, server errors %d%n", load.unanswered(), load.serverErrors());
        load.rejected().stream().distinct().limit(MAX_SHOWN).forEach(text -> out.println("refused: " + text));
        books.discrepancies().stream().limit(MAX_SHOWN).forEach(text -> out.println("WRONG: " + text));
        if (!books.discrepancies().isEmpty() || !load.rejected().isEmpty()) {
            throw new UnexpectedOutcomeException(
                    "the books do not balance: " + books.discrepancies().size() + " mistakes, "
                            + load.rejected().size() + " orders refused");
        }
        out.println("BALANCED: " + books.captured() + " captured for " + books.confirmed()
                + " confirmed orders, stock and money to the cent");
    }

    private static String percentiles(List<Duration> times) {
        if (times.isEmpty()) {
            return "none";
        }
        List<Duration> sorted = times.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms, longest %.1f ms",
                percentileMillis(sorted, 0.50),
                percentileMillis(sorted, 0.99),
                percentileMillis(sorted, 1.0));
    }

    private static double percentileMillis(List<Duration> sorted, double share) {
        int index = (int) Math.ceil(share * sorted.size()) - 1;
        return sorted.get(Math.max(0, index)).toNanos() / 1e6;
    }
}

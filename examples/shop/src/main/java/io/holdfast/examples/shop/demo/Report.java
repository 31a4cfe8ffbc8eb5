package io.holdfast.examples.shop.demo;

import io.holdfast.commit.CommitterStatistics;
import io.holdfast.examples.shop.order.Order;
import io.holdfast.examples.shop.order.OrderStatus;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Prints the books for a person, and the verdict. */
final class Report {

    static final int BALANCED = 0;
    static final int NOT_BALANCED = 1;

    private static final int SHOWN = 10;

    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    /** @return the exit code */
    int print(Books books, int recognised, Duration time, Map<String, CommitterStatistics> committers) {
        long cancelled = books.orders(OrderStatus.CANCELLED).count();
        long declined = books.orders(OrderStatus.CANCELLED)
                .map(Order::reason)
                .filter(reason -> reason.startsWith("payment"))
                .count();
        line(
                "Orders",
                "%,d = %,d confirmed + %,d out of stock + %,d payment declined",
                books.orders().size(),
                books.orders(OrderStatus.CONFIRMED).count(),
                cancelled - declined,
                declined);
        line("", "%,d commands came twice with the same Idempotency-Key and took effect once", recognised);
        line(
                "Stock",
                "%,d on hand at start = %,d sold + %,d left; %,d still reserved; least available %,d",
                sum(books, StockAccount::atStart),
                sum(books, StockAccount::sold),
                sum(books, StockAccount::left),
                sum(books, StockAccount::reserved),
                books.stock().stream()
                        .mapToInt(StockAccount::lowestAvailable)
                        .min()
                        .orElse(0));
        line(
                "Money",
                "%,.2f in confirmed orders = %,.2f captured by %,d payments",
                books.confirmedTotal(),
                books.captured(),
                books.charges().size());
        line(
                "Customers",
                "%,d rows of the projection CustomerOrders say that %,.2f was spent",
                books.customers().size(),
                books.spent());
        line(
                "Histories",
                "%,d events in 3 logs, %s",
                books.events(),
                books.gaps().isEmpty()
                        ? "every log and every key without a gap"
                        : books.gaps().size() + " gaps");
        BigDecimal seconds = BigDecimal.valueOf(Math.max(1, time.toMillis()), 3);
        line("Time", "%.1f s, %,.0f events a second", seconds, books.events() / seconds.doubleValue());
        printCommitters(committers);
        return verdict(Audit.of(books));
    }

    private void printCommitters(Map<String, CommitterStatistics> committers) {
        String title = "Commits";
        for (Map.Entry<String, CommitterStatistics> entry : committers.entrySet()) {
            CommitterStatistics counts = entry.getValue();
            line(
                    title,
                    "%-9s %,6d units in %,6d commits, %.1f units per commit",
                    entry.getKey(),
                    counts.units(),
                    counts.commits(),
                    (double) counts.units() / Math.max(1, counts.commits()));
            title = "";
        }
    }

    private int verdict(List<String> findings) {
        out.println();
        if (findings.isEmpty()) {
            out.println("BALANCED: nothing lost, nothing doubled, nothing oversold.");
            return BALANCED;
        }
        out.println("NOT BALANCED, " + findings.size() + " findings:");
        findings.stream().limit(SHOWN).forEach(finding -> out.println("  " + finding));
        if (findings.size() > SHOWN) {
            out.println("  … and " + (findings.size() - SHOWN) + " more");
        }
        return NOT_BALANCED;
    }

    private void line(String title, String format, Object... values) {
        out.printf(Locale.ROOT, "  %-10s %s%n", title, String.format(Locale.ROOT, format, values));
    }

    private static int sum(Books books, ToIntFunction<StockAccount> amount) {
        return books.stock().stream().mapToInt(amount).sum();
    }
}

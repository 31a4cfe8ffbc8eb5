package io.holdfast.examples.shop.demo;

import io.holdfast.memory.InMemoryWire;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The command line of the demo. */
public final class Demo {

    static final int WRONG_OPTIONS = 2;

    private Demo() {}

    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        // The script knows; Java 17 cannot ask about standard output alone.
        boolean terminal = Boolean.getBoolean("holdfast.demo.terminal");
        System.exit(run(List.of(arguments), out, err, terminal));
    }

    /** @return the exit code */
    static int run(List<String> arguments, PrintStream out, PrintStream err, boolean terminal)
            throws InterruptedException {
        DemoOptions options;
        try {
            options = DemoOptions.parse(arguments);
        } catch (WrongOptionException e) {
            err.println("demo: " + e.getMessage() + ". Try ./demo --help");
            return WRONG_OPTIONS;
        }
        if (options.help()) {
            out.println(DemoOptions.USAGE);
            return 0;
        }
        return run(options, out, terminal);
    }

    private static int run(DemoOptions options, PrintStream out, boolean terminal) throws InterruptedException {
        ShoppingPlan plan = ShoppingPlan.of(options.orders(), options.seed());
        out.printf(
                Locale.ROOT,
                """
                Holdfast demo: a shop of three services (order, inventory, payment) in one JVM. Each has
                its own event log, and they know each other by events alone. %,d callers place %,d orders
                on %d products at once. Stock is too small for all, some orders are too expensive to be
                paid, and %,d commands are sent twice. Then the books of the services are compared.

                """,
                options.callers(),
                options.orders(),
                plan.products().size(),
                plan.sentTwice());
        Shop shop = Shop.start(new InMemoryWire());
        int exitCode = new DemoRun(shop, plan, out, terminal, DemoRun.PATIENCE).run(options.callers());
        if (exitCode == Report.BALANCED) {
            shop.close(); // what is stuck may never close, and its threads do not keep the process
        }
        return exitCode;
    }
}

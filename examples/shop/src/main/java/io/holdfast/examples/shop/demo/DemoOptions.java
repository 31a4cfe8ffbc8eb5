package io.holdfast.examples.shop.demo;

import java.util.Iterator;
import java.util.List;

/**
 * What the demo was asked to do.
 *
 * @param seed chooses the orders: the same seed, the same orders
 */
record DemoOptions(int orders, int callers, long seed, boolean help) {

    static final DemoOptions DEFAULT = new DemoOptions(1_000, 16, 42, false);
    static final int MAX_ORDERS = 100_000;
    static final int MAX_CALLERS = 1_000;

    static final String USAGE =
            """
            Usage: ./demo [--orders N] [--callers N] [--seed S]

            Runs a shop of three services in one JVM, places orders from many threads at once,
            waits until every order has ended, and compares the books of the three services.

              --orders N    how many orders (1 to %,d; default %,d)
              --callers N   how many threads place them (1 to %,d; default %d)
              --seed S      chooses the orders: the same seed, the same orders (default %d)
              --help        this text

            Exit code: 0 the books balance, 1 they do not or something is stuck, 2 wrong options."""
                    .formatted(MAX_ORDERS, DEFAULT.orders, MAX_CALLERS, DEFAULT.callers, DEFAULT.seed);

    /** @throws WrongOptionException saying which and what is allowed */
    static DemoOptions parse(List<String> arguments) {
        DemoOptions options = DEFAULT;
        for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
            options = options.with(rest.next(), rest);
        }
        return options;
    }

    private DemoOptions with(String option, Iterator<String> rest) {
        return switch (option) {
            case "--orders" -> new DemoOptions((int) number(option, rest, 1, MAX_ORDERS), callers, seed, help);
            case "--callers" -> new DemoOptions(orders, (int) number(option, rest, 1, MAX_CALLERS), seed, help);
            case "--seed" ->
                new DemoOptions(orders, callers, number(option, rest, Long.MIN_VALUE, Long.MAX_VALUE), help);
            case "--help", "-h" -> new DemoOptions(orders, callers, seed, true);
            default -> throw new WrongOptionException("there is no option " + option);
        };
    }

    private static long number(String option, Iterator<String> rest, long least, long most) {
        if (!rest.hasNext()) {
            throw new WrongOptionException(option + " needs a number");
        }
        String text = rest.next();
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new WrongOptionException(option + " needs a whole number, but was given " + text, e);
        }
        throw new WrongOptionException(
                option + " must be a number from " + least + " to " + most + ", but was given " + text);
    }
}

package io.holdfast.examples.shop.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Tells a scenario step by step, waits for the reader, and looks whether what was said comes true. For one thread. */
final class Narrator {

    /** Every outcome shows within seconds; what takes longer is wrong. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final PrintStream out;
    private final boolean interactive;
    private final BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private int step;

    /** @param waits whether the reader presses Enter before each step */
    Narrator(PrintStream out, boolean waits) {
        this.out = out;
        this.interactive = waits;
    }

    void title(String title) {
        out.println();
        out.println(title);
        out.println("-".repeat(title.length()));
    }

    /** Says what is done next. */
    void step(String what) {
        step++;
        if (interactive && step > 1) {
            out.print("    [Enter] ");
            out.flush();
            awaitEnter();
        }
        out.printf("%n%2d. %s%n", step, what);
    }

    void print(String what) {
        out.println("    " + what);
    }

    /** Looks again until it is true. */
    <T> T awaitOutcome(String expected, Supplier<T> look, Predicate<? super T> isTrue) {
        Instant end = Instant.now().plus(OUTCOME_TIMEOUT);
        T found = look.get();
        while (!isTrue.test(found)) {
            if (Instant.now().isAfter(end)) {
                throw new UnexpectedOutcomeException(
                        expected + ": expected within " + OUTCOME_TIMEOUT.toSeconds() + " s, but found " + found);
            }
            pause();
            found = look.get();
        }
        out.println("    ✓ " + expected);
        return found;
    }

    void check(String expected, boolean isTrue, Object found) {
        if (!isTrue) {
            throw new UnexpectedOutcomeException(expected + ": expected, but found " + found);
        }
        out.println("    ✓ " + expected);
    }

    private void awaitEnter() {
        try {
            if (reader.readLine() == null) {
                out.println();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_INTERVAL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnexpectedOutcomeException("interrupted");
        }
    }
}

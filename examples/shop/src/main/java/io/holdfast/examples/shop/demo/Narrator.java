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

/** Prints the steps of a scenario, waits for Enter between them, and checks their outcomes. Not thread-safe. */
final class Narrator {

    /** Every outcome is visible within seconds; one that takes longer counts as a failure. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final PrintStream out;
    private final boolean interactive;
    private final BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private int step;

    /** @param interactive whether to wait for Enter before each step but the first */
    Narrator(PrintStream out, boolean interactive) {
        this.out = out;
        this.interactive = interactive;
    }

    void title(String title) {
        out.println();
        out.println(title);
        out.println("-".repeat(title.length()));
    }

    /** Starts the next step, which {@code text} describes. */
    void step(String text) {
        step++;
        if (interactive && step > 1) {
            out.print("    Press Enter to continue ");
            out.flush();
            awaitEnter();
        }
        out.printf("%n%2d. %s%n", step, text);
    }

    void print(String text) {
        out.println("    " + text);
    }

    /**
     * Polls until the value is as expected.
     *
     * @return the expected value
     * @throws UnexpectedOutcomeException if it is not as expected within {@link #OUTCOME_TIMEOUT}
     */
    <T> T awaitOutcome(String expected, Supplier<T> read, Predicate<? super T> isExpected) {
        return awaitOutcome(expected, read, isExpected, OUTCOME_TIMEOUT);
    }

    /**
     * Polls until the value is as expected.
     *
     * @throws UnexpectedOutcomeException if it is not as expected within the timeout
     */
    <T> T awaitOutcome(String expected, Supplier<T> read, Predicate<? super T> isExpected, Duration timeout) {
        Instant deadline = Instant.now().plus(timeout);
        T found = read.get();
        while (!isExpected.test(found)) {
            if (Instant.now().isAfter(deadline)) {
                throw new UnexpectedOutcomeException(
                        "expected within " + timeout.toSeconds() + " s: " + expected + "; found: " + found);
            }
            pause();
            found = read.get();
        }
        out.println("    ✓ " + expected);
        return found;
    }

    void check(String expected, boolean isExpected, Object found) {
        if (!isExpected) {
            throw new UnexpectedOutcomeException("expected: " + expected + "; found: " + found);
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

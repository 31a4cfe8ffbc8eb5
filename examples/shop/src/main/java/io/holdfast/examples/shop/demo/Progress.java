package io.holdfast.examples.shop.demo;

import java.io.PrintStream;
import java.time.Duration;

/** Says how far it is: on one line that changes, or on plain lines now and then where no terminal shows them. */
final class Progress {

    private static final long PLAIN_EVERY = Duration.ofSeconds(2).toNanos();

    private final PrintStream out;
    private final boolean terminal;
    private String last = "";
    private long plainAt = System.nanoTime() + PLAIN_EVERY;

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void show(String line) {
        if (terminal && !line.equals(last)) {
            out.print("\r" + line + " ".repeat(Math.max(0, last.length() - line.length())));
            out.flush();
            last = line;
        } else if (!terminal && System.nanoTime() >= plainAt) {
            out.println(line);
            plainAt = System.nanoTime() + PLAIN_EVERY;
        }
    }

    void end(String line) {
        if (terminal) {
            show(line);
            out.println();
        } else {
            out.println(line);
        }
    }
}

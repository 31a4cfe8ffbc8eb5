package io.holdfast.hazelcast;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Captures what is logged, at the levels that simplelogger.properties enables. Only one test may use it at a time. */
final class CapturedLog implements AutoCloseable {

    private final PrintStream originalErr = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(originalErr);
    }
}

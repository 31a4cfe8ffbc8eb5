package io.holdfast.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CauseTests {

    @Test
    void truncatesLongTexts() {
        Cause cause = new Cause("Boom", "m".repeat(5_000), "s".repeat(50_000));

        assertThat(cause.message()).isEqualTo("m".repeat(Cause.MAX_MESSAGE) + Cause.TRUNCATED);
        assertThat(cause.stackTrace()).isEqualTo("s".repeat(Cause.MAX_STACK_TRACE) + Cause.TRUNCATED);
    }

    @Test
    void isReadBackUnchanged() {
        for (String text : new String[] {
            "x".repeat(Cause.MAX_MESSAGE), "x".repeat(5_000), "x" + "😀".repeat(5_000), "nul \0 half \uD83D"
        }) {
            Cause cause = new Cause("Boom", text, text);

            assertThat(new Cause(cause.type(), cause.message(), cause.stackTrace()))
                    .isEqualTo(cause);
        }
    }

    @Test
    void truncatesLongTextThatEndsWithTruncationSuffix() {
        Cause cause = new Cause("Boom", "m".repeat(5_000) + Cause.TRUNCATED, "");

        assertThat(cause.message()).isEqualTo("m".repeat(Cause.MAX_MESSAGE) + Cause.TRUNCATED);
    }

    @Test
    void replacesCharactersThatCannotBeStored() {
        Cause cause = new Cause("Boom", "a\0b\uD83Dc😀", "");

        assertThat(cause.message()).isEqualTo("a\uFFFDb\uFFFDc😀");
    }

    @Test
    void toleratesExceptionWhoseMessageCannotBeRead() {
        Cause cause = Cause.of(new UnreadableMessage());

        assertThat(cause.type()).isEqualTo(UnreadableMessage.class.getName());
        assertThat(cause.message()).contains("could not be read");
    }

    @Test
    void listsCausesNearestFirst() {
        Cause cause = Cause.of(new IllegalStateException(
                "outer", new IllegalArgumentException(null, new UnsupportedOperationException("root"))));

        assertThat(cause.chain())
                .containsExactly("java.lang.IllegalArgumentException", "java.lang.UnsupportedOperationException: root");
    }

    @Test
    void boundsCircularChain() {
        Exception one = new IllegalStateException("one");
        Exception other = new IllegalStateException("other", one);
        one.initCause(other);

        assertThat(Cause.of(one).chain()).hasSize(Cause.MAX_CHAIN).startsWith("java.lang.IllegalStateException: other");
    }

    @Test
    void truncatesLinesOfChain() {
        Cause cause = new Cause("Boom", null, "", List.of("l".repeat(5_000), "nul \0"));

        assertThat(cause.chain()).containsExactly("l".repeat(Cause.MAX_MESSAGE) + Cause.TRUNCATED, "nul \uFFFD");
    }

    @Test
    void includesSuppressedFailure() {
        Cause both =
                new Cause("Boom", "first", "at kit").withSuppressed("the policy", new IllegalStateException("second"));

        assertThat(both.type()).isEqualTo("Boom");
        assertThat(both.message()).isEqualTo("first (and the policy threw java.lang.IllegalStateException: second)");
        assertThat(both.stackTrace()).startsWith("at kit\nthe policy threw java.lang.IllegalStateException: second");
    }

    @Test
    void omitsEngineFrames() {
        RuntimeException inner = thrown("inner", "shop.Stock.take", "io.holdfast.handling.Component.invoke");
        RuntimeException outer = thrown(
                "outer",
                "shop.Orders.on",
                "io.holdfast.processing.segment.HandlerTask.run",
                "io.holdfast.processing.segment.HandlerRun.call",
                "java.lang.Thread.run");
        outer.initCause(inner);
        outer.addSuppressed(thrown("suppressed", "shop.Mail.send", "io.holdfast.processing.segment.HandlerTask.run"));

        assertThat(Cause.of(outer).stackTrace().lines().map(String::strip))
                .containsExactly(
                        "java.lang.IllegalStateException: outer",
                        "at shop.Orders.on(Unknown Source)",
                        "Suppressed: java.lang.IllegalStateException: suppressed",
                        "at shop.Mail.send(Unknown Source)",
                        "Caused by: java.lang.IllegalStateException: inner",
                        "at shop.Stock.take(Unknown Source)",
                        "at io.holdfast.handling.Component.invoke(Unknown Source)");
    }

    private static RuntimeException thrown(String message, String... frames) {
        RuntimeException thrown = new IllegalStateException(message);
        thrown.setStackTrace(Arrays.stream(frames)
                .map(frame -> new StackTraceElement(
                        frame.substring(0, frame.lastIndexOf('.')),
                        frame.substring(frame.lastIndexOf('.') + 1),
                        null,
                        -1))
                .toArray(StackTraceElement[]::new));
        return thrown;
    }

    private static final class UnreadableMessage extends RuntimeException {

        @Override
        public String getMessage() {
            throw new IllegalStateException("no");
        }
    }
}

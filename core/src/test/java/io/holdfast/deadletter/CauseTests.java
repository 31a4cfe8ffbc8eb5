package io.holdfast.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CauseTests {

    @Test
    void marksWhatWasTooLong() {
        Cause cause = new Cause("Boom", "m".repeat(5_000), "s".repeat(50_000));

        assertThat(cause.message()).isEqualTo("m".repeat(Cause.MAX_MESSAGE) + Cause.TRUNCATED);
        assertThat(cause.stackTrace()).isEqualTo("s".repeat(Cause.MAX_STACK_TRACE) + Cause.TRUNCATED);
    }

    @Test
    void isTheSameAfterItWasStored() {
        for (String text : new String[] {
            "x".repeat(Cause.MAX_MESSAGE), "x".repeat(5_000), "x" + "😀".repeat(5_000), "nul \0 half \uD83D"
        }) {
            Cause cause = new Cause("Boom", text, text);

            assertThat(new Cause(cause.type(), cause.message(), cause.stackTrace()))
                    .isEqualTo(cause);
        }
    }

    @Test
    void cutsALongTextThatEndsLikeACutOne() {
        Cause cause = new Cause("Boom", "m".repeat(5_000) + Cause.TRUNCATED, "");

        assertThat(cause.message()).isEqualTo("m".repeat(Cause.MAX_MESSAGE) + Cause.TRUNCATED);
    }

    @Test
    void replacesWhatNoDatabaseKeeps() {
        Cause cause = new Cause("Boom", "a\0b\uD83Dc😀", "");

        assertThat(cause.message()).isEqualTo("a\uFFFDb\uFFFDc😀");
    }

    @Test
    void ofAnExceptionThatCannotSayWhatItIsIsStillACause() {
        Cause cause = Cause.of(new Speechless());

        assertThat(cause.type()).isEqualTo(Speechless.class.getName());
        assertThat(cause.message()).contains("could not be read");
    }

    private static final class Speechless extends RuntimeException {

        @Override
        public String getMessage() {
            throw new IllegalStateException("no");
        }
    }
}

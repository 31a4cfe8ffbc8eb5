package io.holdfast.jpa;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Truncates times to the databases' precision. The databases themselves would round. */
final class Times {

    private Times() {}

    static Instant toStoredPrecision(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    static @Nullable Instant toStoredPrecisionOrNull(@Nullable Instant time) {
        return time == null ? null : toStoredPrecision(time);
    }
}

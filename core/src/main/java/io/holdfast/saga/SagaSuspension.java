package io.holdfast.saga;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * A saga whose deadline is suspended, because an event of the saga is parked. Immutable.
 *
 * @param since when the suspension began
 * @param letters what is parked, as the last answer named it; sorted
 * @param lastAnswer when the participants last answered
 * @param recheckAt when to ask again
 * @param rechecks the number of repeated requests
 */
public record SagaSuspension(Instant since, List<String> letters, Instant lastAnswer, Instant recheckAt, int rechecks) {

    static final Duration FIRST_RECHECK = Duration.ofSeconds(15);
    static final Duration MAX_RECHECK = Duration.ofMinutes(5);

    public SagaSuspension {
        letters = List.copyOf(letters);
    }

    static SagaSuspension start(Collection<String> letters, Instant now) {
        return new SagaSuspension(now, sorted(letters), now, now.plus(FIRST_RECHECK), 0);
    }

    /** Returns the suspension after another answer that names letters. */
    SagaSuspension answered(Collection<String> found, Instant now) {
        return new SagaSuspension(since, sorted(found), now, now.plus(delay(rechecks + 1)), rechecks + 1);
    }

    /** Returns the suspension after no participant answered in time. The last answer stands. */
    SagaSuspension unanswered(Instant now) {
        return new SagaSuspension(since, letters, lastAnswer, now.plus(delay(rechecks + 1)), rechecks + 1);
    }

    /** Returns whether the saga was suspended longer than allowed. */
    public boolean exceeds(Duration maxSuspended, Instant now) {
        return since.plus(maxSuspended).isBefore(now);
    }

    private static Duration delay(int rechecks) {
        Duration delay = FIRST_RECHECK;
        for (int i = 0; i < rechecks && delay.compareTo(MAX_RECHECK) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(MAX_RECHECK) < 0 ? delay : MAX_RECHECK;
    }

    private static List<String> sorted(Collection<String> letters) {
        return letters.stream().sorted().distinct().toList();
    }
}

package io.holdfast.processing;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what a committed unit has parked, and counts it. */
final class ParkingLog {

    private static final Logger log = LoggerFactory.getLogger(EventProcessor.class);

    private ParkingLog() {}

    static void tell(ProcessorContext context, UnitDraft committed) {
        ProcessorMetrics metrics = context.metrics();
        metrics.count(ProcessorMetrics.Outcome.HANDLED, committed.handledEvents());
        metrics.count(ProcessorMetrics.Outcome.FAILED, committed.failedLetters().size());
        metrics.count(ProcessorMetrics.Outcome.PARKED, committed.parkedBehind());
        metrics.count(ProcessorMetrics.Outcome.REPLAYED, committed.replayed());
        Map<Object, DeadLetter> failed = committed.failedLetters().stream()
                .collect(Collectors.toMap(DeadLetter::sequence, letter -> letter, (one, other) -> other));
        committed.changedSequences().forEach(sequence -> tell(sequence, failed.get(sequence.id())));
    }

    private static void tell(ParkedSequence sequence, @Nullable DeadLetter letter) {
        if (letter == null) {
            return;
        }
        Cause cause = letter.cause();
        String why = cause == null ? "" : cause.summary();
        if (sequence.state() == SequenceState.PENDING) {
            log.error(
                    "{} {} cannot be handled by {}, and waits for a person with {} more behind it: {}",
                    letter.message().type(),
                    letter.message().id(),
                    sequence.id(),
                    sequence.size() - 1,
                    why);
        } else {
            log.warn(
                    "{} {} was not handled by {}: {}, the next attempt comes at {}: {}",
                    letter.message().type(),
                    letter.message().id(),
                    sequence.id(),
                    sequence.state() == SequenceState.HELD ? "held by breaker " + sequence.heldBy() : "retrying",
                    sequence.nextAttempt(),
                    why);
        }
    }
}

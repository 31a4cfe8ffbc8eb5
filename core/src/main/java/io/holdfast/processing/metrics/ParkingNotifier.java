package io.holdfast.processing.metrics;

import io.holdfast.UserFailures;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and counts the letters that a committed unit has parked, replayed or removed, and notifies the listeners. */
public final class ParkingNotifier {

    private static final Logger log = LoggerFactory.getLogger(ParkingNotifier.class);

    /** How often the log says that a component awaits another version: an update may park many events. */
    private static final Duration AWAITING_LOG_INTERVAL = Duration.ofMinutes(1);

    private final Map<String, MonotonicTime> awaitingLoggedAt = new ConcurrentHashMap<>();
    private final ProcessorMetrics metrics;
    private final List<DeadLetterListener> listeners;
    private final MonotonicClock clock;

    public ParkingNotifier(ProcessorMetrics metrics, List<DeadLetterListener> listeners, Clock clock) {
        this.clock = MonotonicClock.of(clock);
        this.metrics = metrics;
        this.listeners = List.copyOf(listeners);
    }

    /** @param now returns a sequence as the commit left it; null if it is no longer parked */
    public void report(
            int handled, List<DeadLetterChange> changes, Function<SequenceId, @Nullable ParkedSequence> now) {
        metrics.count(ProcessorMetrics.Outcome.HANDLED, handled);
        for (DeadLetterChange change : changes) {
            count(change);
            logChange(change, now.apply(change.sequence()));
            notifyListeners(change);
        }
    }

    private void count(DeadLetterChange change) {
        switch (change.kind()) {
            case PARKED, FAILED_AGAIN -> metrics.count(ProcessorMetrics.Outcome.FAILED, change.letters());
            case PARKED_BEHIND -> metrics.count(ProcessorMetrics.Outcome.PARKED, change.letters());
            case REPLAYED -> metrics.count(ProcessorMetrics.Outcome.REPLAYED, change.letters());
            case SKIPPED -> metrics.count(ProcessorMetrics.Outcome.SKIPPED, change.letters());
            case PENDING, EVICTED, RESTORED, OVERFLOW -> {}
        }
    }

    private static void report(DeadLetterListener listener, DeadLetterChange change) {
        try {
            listener.changed(change);
        } catch (Throwable e) {
            log.warn("DeadLetterListener of queue {} failed; it still receives later changes", change.queue(), e);
            UserFailures.throwIfFatal(e);
        }
    }

    private void logChange(DeadLetterChange change, @Nullable ParkedSequence now) {
        if (now != null && now.awaits() != null) {
            logAwaiting(change, now);
            return;
        }
        switch (change.kind()) {
            case PARKED, FAILED_AGAIN -> logFailed(change, now);
            case PENDING -> logPending(change);
            case SKIPPED -> logRemoved("is skipped, as its enqueue policy decided", change);
            case EVICTED -> logRemoved("is evicted, as its enqueue policy decided", change);
            case PARKED_BEHIND, REPLAYED, RESTORED, OVERFLOW -> {}
        }
    }

    private static void logFailed(DeadLetterChange change, @Nullable ParkedSequence now) {
        DeadLetter letter = change.letter();
        if (letter != null && now != null && now.state() != SequenceState.PENDING) {
            log.warn(
                    "{} {} failed in {}: {}, next attempt at {}: {}",
                    letter.message().type(),
                    letter.message().id(),
                    change.sequence(),
                    now.state() == SequenceState.HELD ? "HELD by breaker " + now.heldBy() : "RETRYING",
                    now.nextAttempt(),
                    causeSummary(letter));
        } else if (letter != null && change.kind() == DeadLetterChange.Kind.FAILED_AGAIN) {
            log.warn(
                    "{} {} failed again in {}: {}",
                    letter.message().type(),
                    letter.message().id(),
                    change.sequence(),
                    causeSummary(letter));
        }
    }

    /** Logs the first sequence that awaits another version, by component, type and state; then one per minute. */
    private void logAwaiting(DeadLetterChange change, ParkedSequence now) {
        DeadLetter letter = change.letter();
        boolean isPending = change.kind() == DeadLetterChange.Kind.PENDING;
        boolean isReported = isPending == (now.state() == SequenceState.PENDING); // otherwise PENDING follows
        if (letter == null || !isReported || !isAwaitingLogDue(change, now)) {
            return;
        }
        if (isPending) {
            log.error(
                    "{} {} of {} is PENDING and needs an operator, because no replica of a version that handles it has"
                            + " appeared; more may follow: {}",
                    letter.message().type(),
                    letter.message().id(),
                    change.sequence(),
                    causeSummary(letter));
        } else {
            log.warn(
                    "{} {} of {} awaits another version of the service; more may follow: {}",
                    letter.message().type(),
                    letter.message().id(),
                    change.sequence(),
                    causeSummary(letter));
        }
    }

    private boolean isAwaitingLogDue(DeadLetterChange change, ParkedSequence now) {
        MonotonicTime time = clock.time();
        String subject = change.sequence().component() + " " + now.awaits() + " " + now.state();
        MonotonicTime last = awaitingLoggedAt.get(subject);
        if (last != null && time.isBefore(last.plus(AWAITING_LOG_INTERVAL))) {
            return false;
        }
        awaitingLoggedAt.put(subject, time);
        return true;
    }

    private static void logPending(DeadLetterChange change) {
        DeadLetter letter = change.letter();
        if (letter == null) {
            log.error(
                    "{} is PENDING with {} letters and needs an operator: its breaker has held it for too long",
                    change.sequence(),
                    change.letters());
        } else {
            log.error(
                    "{} {} failed in {}, is PENDING with {} more behind it and needs an operator: {}",
                    letter.message().type(),
                    letter.message().id(),
                    change.sequence(),
                    change.letters() - 1,
                    causeSummary(letter));
        }
    }

    private static void logRemoved(String what, DeadLetterChange change) {
        DeadLetter letter = change.letter();
        if (letter != null) {
            log.warn(
                    "{} {} failed in {} and {}: {}",
                    letter.message().type(),
                    letter.message().id(),
                    change.sequence(),
                    what,
                    causeSummary(letter));
        }
    }

    private static String causeSummary(DeadLetter letter) {
        Cause cause = letter.cause();
        return cause == null ? "" : cause.summary();
    }

    /** Notifies the listeners of a change that is counted and logged elsewhere. */
    public void notifyListeners(DeadLetterChange change) {
        listeners.forEach(listener -> report(listener, change));
    }
}

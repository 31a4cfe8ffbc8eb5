package io.holdfast.processing.replay;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SequenceReplay;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Replays sequences of segments that other replicas own. It makes them due in the store, where their owner detects and
 * replays them. The outcome shows in the store, even if the owner dies and another replica takes over. Used by the
 * coordinator's thread only.
 */
public final class RemoteReplays {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /** Each change invalidates the unit that the owner is about to commit; the owner must make progress in between. */
    private static final Duration CHANGE_INTERVAL = Duration.ofSeconds(2);

    private final ProcessorContext context;
    private final Map<SequenceId, Requested> fresh = new HashMap<>();
    private final Map<SequenceId, Requested> watched = new HashMap<>();
    private MonotonicTime pollAt = MonotonicTime.MIN;
    private MonotonicTime changeAt = MonotonicTime.MIN;

    /** @param sequence the sequence as it was made due, or will be */
    private record Requested(ParkedSequence sequence, SequenceReplay replay) {}

    public RemoteReplays(ProcessorContext context) {
        this.context = context;
    }

    /** Requests a replay. Requests for the same sequence get the same outcome. */
    public void request(ParkedSequence sequence, SequenceReplay replay) {
        Requested known = watched.getOrDefault(sequence.id(), fresh.get(sequence.id()));
        if (known == null) {
            fresh.put(sequence.id(), new Requested(sequence, replay));
        } else {
            known.replay().addListenersOf(replay);
        }
    }

    public void step() {
        if (!fresh.isEmpty() && !context.time().isBefore(changeAt)) {
            makeDue();
            changeAt = context.time().plus(CHANGE_INTERVAL);
        }
        if (!watched.isEmpty() && !context.time().isBefore(pollAt)) {
            poll();
            pollAt = context.time().plus(POLL_INTERVAL);
        }
    }

    private void makeDue() {
        Instant now = context.now();
        Map<SequenceId, ParkedSequence> due = new HashMap<>();
        store().change(context.processor(), parked -> due(parked, now, due));
        Map<SequenceId, Requested> requested = Map.copyOf(fresh);
        fresh.clear();
        requested.forEach((id, one) -> {
            ParkedSequence sequence = due.get(id);
            if (sequence == null) {
                one.replay().complete(true);
            } else {
                watched.put(id, new Requested(sequence, one.replay()));
            }
        });
    }

    private LetterWrites due(LetterReads parked, Instant now, Map<SequenceId, ParkedSequence> due) {
        due.clear();
        parked.findSequences(fresh.keySet()).forEach(sequence -> due.put(sequence.id(), sequence.due(now)));
        return new LetterWrites(List.of(), List.of(), List.of(), List.copyOf(due.values()), List.of());
    }

    private void poll() {
        Map<SequenceId, ParkedSequence> found = store().findSequences(watched.keySet()).stream()
                .collect(Collectors.toMap(ParkedSequence::id, sequence -> sequence));
        for (Map.Entry<SequenceId, Requested> entry : Map.copyOf(watched).entrySet()) {
            Boolean drained = drained(entry.getValue().sequence(), found.get(entry.getKey()));
            if (drained != null) {
                watched.remove(entry.getKey());
                entry.getValue().replay().complete(drained);
            }
        }
    }

    /** Returns whether the sequence was drained; null if that does not show yet. */
    private static @Nullable Boolean drained(ParkedSequence requested, @Nullable ParkedSequence now) {
        if (now == null || isReplaced(requested, now)) {
            return true;
        }
        int triedBefore = now.first() == requested.first() ? requested.attempts() : 0;
        boolean isUntried = now.state() == SequenceState.RETRYING && now.attempts() == triedBefore;
        return isUntried ? null : false;
    }

    /** Returns whether all requested letters are gone, and the present ones were parked later. */
    private static boolean isReplaced(ParkedSequence requested, ParkedSequence now) {
        return now.first() < requested.first()
                || now.first() > requested.last()
                || (now.first() == requested.first() && !Objects.equals(now.since(), requested.since()));
    }

    private DeadLetterStore store() {
        return context.stores().letters();
    }
}

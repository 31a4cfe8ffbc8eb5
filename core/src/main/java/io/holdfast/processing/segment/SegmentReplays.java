package io.holdfast.processing.segment;

import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.parking.ParkedSequences;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a segment whose replay was requested, in the order of the requests. Not thread-safe; used by one
 * thread at a time.
 */
final class SegmentReplays {

    private final Map<SequenceId, SequenceReplay> requested = new HashMap<>();
    private final Set<SequenceId> waiting = new LinkedHashSet<>();

    /**
     * Requests a sequence until one of its letters fails again or none is left. Requests for the same sequence get the
     * same outcome.
     */
    void request(SequenceReplay replay) {
        SequenceReplay before = requested.putIfAbsent(replay.id(), replay);
        if (before == null) {
            waiting.add(replay.id());
        } else {
            before.addListenersOf(replay);
        }
    }

    boolean isRequested(SequenceId id) {
        return requested.containsKey(id);
    }

    /** Returns the action that requested a sequence, or null. */
    @Nullable
    String action(SequenceId id) {
        SequenceReplay replay = requested.get(id);
        return replay == null ? null : replay.action();
    }

    /** Returns whether a requested sequence waits to be claimed. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Returns up to this many waiting sequences, in order. */
    List<SequenceId> next(int limit) {
        return waiting.stream().limit(limit).toList();
    }

    /**
     * Claims the next waiting sequence. A request for a sequence that is already in replay completes when that replay
     * ends.
     */
    Optional<ParkedSequences.ReplayCandidate> next(ParkedSequences parked) {
        Optional<ParkedSequences.ReplayCandidate> candidate = Optional.empty();
        while (candidate.isEmpty() && !waiting.isEmpty()) {
            SequenceId id = waiting.iterator().next();
            candidate = parked.claim(id); // if this throws, it keeps waiting
            waiting.remove(id);
            if (candidate.isEmpty() && parked.find(id) == null) {
                attempted(id, List.of(), true, false); // another replay was faster
            }
        }
        return candidate;
    }

    /** Lets a requested sequence wait again, because its letters could not be attempted. */
    void reschedule(SequenceId id) {
        if (isRequested(id)) {
            waiting.add(id);
        }
    }

    /**
     * Records an attempt of a sequence.
     *
     * @param letters what became of the attempted letters
     * @param isEmpty whether no letter is left
     * @param hasFailed whether a letter failed again and is still parked. Does not count if the attempt had started
     *     before the replay was requested: the cause may have been fixed in between
     */
    void attempted(SequenceId id, List<LetterOutcome> letters, boolean isEmpty, boolean hasFailed) {
        SequenceReplay replay = requested.get(id);
        if (replay == null) {
            return;
        }
        replay.add(letters);
        if (isEmpty || hasFailed) {
            forget(replay);
            replay.complete(isEmpty);
        } else {
            waiting.add(id); // it has more letters
        }
    }

    /** Abandons all requests together with the segment. They must be repeated at its next owner. */
    void abandon() {
        for (SequenceReplay replay : requested.values().toArray(SequenceReplay[]::new)) {
            forget(replay);
            replay.abandon();
        }
    }

    private void forget(SequenceReplay replay) {
        requested.remove(replay.id());
        waiting.remove(replay.id());
    }
}

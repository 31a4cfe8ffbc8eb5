package io.holdfast.processing;

import io.holdfast.deadletter.SequenceId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The sequences of a segment that somebody has asked to be processed, first come, first served. For one thread at a time. */
final class SegmentReplays {

    private final Map<SequenceId, SequenceReplay> requested = new HashMap<>();
    private final Set<SequenceId> waiting = new LinkedHashSet<>();

    /** Asks for a sequence, until a letter of it has failed again or none is left. */
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

    /** Whether one waits for its turn. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** The sequences whose turn it is next, this many at most. */
    List<SequenceId> next(int most) {
        return waiting.stream().limit(most).toList();
    }

    /** The next whose turn it is. One that is being worked on already is told when that has ended. */
    Optional<ParkedSequences.ReplayCandidate> next(ParkedSequences parked) {
        Optional<ParkedSequences.ReplayCandidate> turn = Optional.empty();
        while (turn.isEmpty() && !waiting.isEmpty()) {
            SequenceId id = waiting.iterator().next();
            turn = parked.claim(id); // if that fails, it waits still
            waiting.remove(id);
            if (turn.isEmpty() && parked.find(id) == null) {
                attempted(id, true, false); // somebody was quicker
            }
        }
        return turn;
    }

    /** Letters of a sequence could not be tried; if somebody has asked for it, it waits for its turn again. */
    void reschedule(SequenceId id) {
        if (isRequested(id)) {
            waiting.add(id);
        }
    }

    /**
     * Letters of a sequence were tried.
     *
     * @param isEmpty whether none is left
     * @param hasFailed whether one has failed again and is still there
     */
    void attempted(SequenceId id, boolean isEmpty, boolean hasFailed) {
        SequenceReplay replay = requested.get(id);
        if (replay != null && (isEmpty || hasFailed)) {
            complete(replay, isEmpty ? SequenceReplay.Outcome.DRAINED : SequenceReplay.Outcome.FAILED_AGAIN);
        } else if (replay != null) {
            waiting.add(id); // there is more of it
        }
    }

    /** The segment is given up: whoever has it next has to be asked. */
    void abandon() {
        for (SequenceReplay replay : requested.values().toArray(SequenceReplay[]::new)) {
            complete(replay, SequenceReplay.Outcome.LOST);
        }
    }

    private void complete(SequenceReplay replay, SequenceReplay.Outcome outcome) {
        requested.remove(replay.id());
        waiting.remove(replay.id());
        replay.complete(outcome);
    }
}

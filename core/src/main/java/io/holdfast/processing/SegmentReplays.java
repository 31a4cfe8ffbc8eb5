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

    private final Map<SequenceId, Replay> asked = new HashMap<>();
    private final Set<SequenceId> waiting = new LinkedHashSet<>();

    /** Asks for a sequence, until a letter of it has failed again or none is left. */
    void ask(Replay replay) {
        Replay before = asked.putIfAbsent(replay.id(), replay);
        if (before == null) {
            waiting.add(replay.id());
        } else {
            before.join(replay);
        }
    }

    boolean isAsked(SequenceId id) {
        return asked.containsKey(id);
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
            turn = parked.take(id); // if that fails, it waits still
            waiting.remove(id);
            if (turn.isEmpty() && parked.find(id) == null) {
                tried(id, true, false); // somebody was quicker
            }
        }
        return turn;
    }

    /** Letters of a sequence could not be tried; if somebody has asked for it, it waits for its turn again. */
    void untried(SequenceId id) {
        if (isAsked(id)) {
            waiting.add(id);
        }
    }

    /**
     * Letters of a sequence were tried.
     *
     * @param isEmpty whether none is left
     * @param hasFailed whether one has failed again and is still there
     */
    void tried(SequenceId id, boolean isEmpty, boolean hasFailed) {
        Replay replay = asked.get(id);
        if (replay != null && (isEmpty || hasFailed)) {
            end(replay, isEmpty ? Replay.Outcome.DRAINED : Replay.Outcome.FAILED_AGAIN);
        } else if (replay != null) {
            waiting.add(id); // there is more of it
        }
    }

    /** The segment is given up: whoever has it next has to be asked. */
    void abandon() {
        for (Replay replay : asked.values().toArray(Replay[]::new)) {
            end(replay, Replay.Outcome.LOST);
        }
    }

    private void end(Replay replay, Replay.Outcome outcome) {
        asked.remove(replay.id());
        waiting.remove(replay.id());
        replay.end(outcome);
    }
}

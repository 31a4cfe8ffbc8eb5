package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sequences of segments that other replicas have. They are made due, beside their owner, who finds them so and tries them; what
 * came of it shows in the store, also if the owner dies and another goes on. For the coordinator's thread.
 */
final class RemoteReplays {

    private static final Duration LOOK = Duration.ofMillis(200);

    /** What the owner is about to commit is lost with each change beside it; it must get on in between. */
    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(2);

    private final ProcessorContext context;
    private final Map<SequenceId, Asked> fresh = new HashMap<>();
    private final Map<SequenceId, Asked> watched = new HashMap<>();
    private Instant lookAt = Instant.MIN;
    private Instant changeAt = Instant.MIN;

    /** @param sequence as it was made due, or is to be */
    private record Asked(ParkedSequence sequence, Replay replay) {}

    RemoteReplays(ProcessorContext context) {
        this.context = context;
    }

    /** Whoever asks for one that others have asked for gets the same answer. */
    void ask(ParkedSequence sequence, Replay replay) {
        Asked known = watched.getOrDefault(sequence.id(), fresh.get(sequence.id()));
        if (known == null) {
            fresh.put(sequence.id(), new Asked(sequence, replay));
        } else {
            known.replay().join(replay);
        }
    }

    void step() {
        if (!fresh.isEmpty() && !context.now().isBefore(changeAt)) {
            makeDue();
            changeAt = context.now().plus(BETWEEN_CHANGES);
        }
        if (!watched.isEmpty() && !context.now().isBefore(lookAt)) {
            look();
            lookAt = context.now().plus(LOOK);
        }
    }

    private void makeDue() {
        Instant now = context.now();
        Map<SequenceId, ParkedSequence> due = new HashMap<>();
        store().change(context.processor(), parked -> due(parked, now, due));
        Map<SequenceId, Asked> asked = Map.copyOf(fresh);
        fresh.clear();
        asked.forEach((id, one) -> {
            ParkedSequence sequence = due.get(id);
            if (sequence == null) {
                one.replay().end(Replay.Outcome.DRAINED);
            } else {
                watched.put(id, new Asked(sequence, one.replay()));
            }
        });
    }

    private LetterWrites due(LetterReads parked, Instant now, Map<SequenceId, ParkedSequence> due) {
        due.clear();
        parked.findSequences(fresh.keySet()).forEach(sequence -> due.put(sequence.id(), sequence.due(now)));
        return new LetterWrites(List.of(), List.of(), List.of(), List.copyOf(due.values()), List.of());
    }

    private void look() {
        Map<SequenceId, ParkedSequence> found = store().findSequences(watched.keySet()).stream()
                .collect(Collectors.toMap(ParkedSequence::id, sequence -> sequence));
        for (Map.Entry<SequenceId, Asked> entry : Map.copyOf(watched).entrySet()) {
            Replay.Outcome outcome = outcome(entry.getValue().sequence(), found.get(entry.getKey()));
            if (outcome != null) {
                watched.remove(entry.getKey());
                entry.getValue().replay().end(outcome);
            }
        }
    }

    /** What came of it; null if that does not show yet. */
    private static Replay.@Nullable Outcome outcome(ParkedSequence asked, @Nullable ParkedSequence now) {
        if (now == null || isAnother(asked, now)) {
            return Replay.Outcome.DRAINED;
        }
        int triedBefore = now.first() == asked.first() ? asked.attempts() : 0;
        boolean isUntried = now.state() == SequenceState.RETRYING && now.attempts() == triedBefore;
        return isUntried ? null : Replay.Outcome.FAILED_AGAIN;
    }

    /** Whether all that was parked has left, and what is parked now came later. */
    private static boolean isAnother(ParkedSequence asked, ParkedSequence now) {
        return now.first() < asked.first()
                || now.first() > asked.last()
                || (now.first() == asked.first() && !Objects.equals(now.since(), asked.since()));
    }

    private DeadLetterStore store() {
        return context.stores().letters();
    }
}

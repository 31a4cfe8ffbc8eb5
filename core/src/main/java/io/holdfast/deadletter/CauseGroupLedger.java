package io.holdfast.deadletter;

import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sums up how letter writes change the cause groups. Not thread-safe. */
final class CauseGroupLedger {

    private final Map<String, CauseGroupChange> changes = new LinkedHashMap<>(); // the id includes the component

    /** @param before returns a sequence as it was before these writes */
    void apply(LetterWrites writes, Function<SequenceId, Optional<ParkedSequence>> before) {
        Stream.concat(
                        writes.removedSequences().stream(),
                        writes.sequences().stream().map(ParkedSequence::id))
                .flatMap(id -> before.apply(id).stream())
                .forEach(sequence -> count(sequence, -1));
        writes.sequences().forEach(sequence -> count(sequence, 1));
        Set<UUID> repaired = writes.outcomes().stream()
                .filter(letter -> letter.outcome() == Outcome.EDITED || letter.outcome() == Outcome.RESTORED)
                .map(LetterOutcome::event)
                .collect(Collectors.toSet());
        Stream.concat(writes.added().stream(), writes.replaced().stream())
                .filter(letter -> !repaired.contains(letter.message().id()))
                .forEach(this::see);
    }

    private void count(ParkedSequence sequence, int sign) {
        String group = sequence.causeGroup();
        if (group != null) {
            change(sequence.id().component(), group, change -> change.plus(sequence, sign));
        }
    }

    private void see(DeadLetter letter) {
        Cause cause = letter.cause();
        if (cause != null) {
            String component = letter.sequence().component();
            change(component, CauseGroup.id(component, cause), change -> change.seen(cause, letter.lastTouched()));
        }
    }

    private void change(String component, String group, UnaryOperator<CauseGroupChange> change) {
        changes.compute(
                group, (id, before) -> change.apply(before == null ? CauseGroupChange.none(component, group) : before));
    }

    List<CauseGroupChange> changes() {
        return changes.values().stream().filter(change -> !change.isEmpty()).toList();
    }
}

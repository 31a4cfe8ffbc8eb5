package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.token.Token;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Loads the parked sequences of one segment. Sequences of a component that this version lacks stay parked and are not
 * loaded.
 */
final class ParkedSequenceLoader {

    private final ProcessorContext context;
    private final Token token;
    private final int cacheSize;

    ParkedSequenceLoader(ProcessorContext context, Token token) {
        this.context = context;
        this.token = token;
        this.cacheSize = context.components().stream()
                .mapToInt(component -> component.queue().cacheSize())
                .max()
                .orElse(0);
    }

    /** Returns the maximum number of PENDING sequences to cache. */
    int cacheSize() {
        return cacheSize;
    }

    List<ParkedSequence> findAll() {
        return find(EnumSet.allOf(SequenceState.class));
    }

    List<ParkedSequence> findPending() {
        return find(EnumSet.of(SequenceState.PENDING));
    }

    List<ParkedSequence> findByIds(Collection<SequenceId> ids) {
        return store().findSequences(ids);
    }

    private List<ParkedSequence> find(Set<SequenceState> states) {
        return store()
                .findSequences(
                        context.processor(),
                        token.segment().number(),
                        token.setup().mask(),
                        states,
                        Integer.MAX_VALUE)
                .stream()
                .filter(sequence -> context.component(sequence.id().component()).isPresent())
                .toList();
    }

    private DeadLetterStore store() {
        return context.stores().letters();
    }
}

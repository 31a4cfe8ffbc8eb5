package io.holdfast.parking;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.BoundComponent;
import io.holdfast.token.Token;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Loads the parked sequences of one segment. Sequences of a component that this version lacks stay parked and are not
 * loaded.
 */
public final class ParkedSequenceLoader {

    private final DeadLetterStore letters;
    private final List<BoundComponent> components;
    private final Token token;
    private final int cacheSize;

    public ParkedSequenceLoader(DeadLetterStore letters, List<BoundComponent> components, Token token) {
        this.letters = letters;
        this.components = components;
        this.token = token;
        this.cacheSize = components.stream()
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
        return letters.findSequences(ids);
    }

    private List<ParkedSequence> find(Set<SequenceState> states) {
        return letters
                .findSequences(
                        token.segment().consumer(),
                        token.segment().number(),
                        token.setup().mask(),
                        states,
                        Integer.MAX_VALUE)
                .stream()
                .filter(this::isKnown)
                .toList();
    }

    private boolean isKnown(ParkedSequence sequence) {
        return components.stream()
                .anyMatch(component -> component.id().equals(sequence.id().component()));
    }
}

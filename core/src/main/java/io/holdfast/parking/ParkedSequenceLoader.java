package io.holdfast.parking;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.token.Token;
import java.time.Clock;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Loads the parked sequences of one segment. Sequences of a component that the processor's definition lacks stay parked
 * and are not loaded.
 */
public final class ParkedSequenceLoader {

    private final DeadLetterStore letters;
    private final List<BoundComponent> components;
    private final Token token;
    private final Predicate<ParkedSequence> isSettledHere;
    private final Clock clock;
    private final Runnable requireUnchanged;
    private final int cacheSize;

    /**
     * @param isSettledHere whether this version can handle the first letter of a sequence that awaited a version
     * @param requireUnchanged throws if the stored token has changed since the segment was opened; called after every read
     *     but the first, {@link #findAll}
     */
    public ParkedSequenceLoader(
            DeadLetterStore letters,
            List<BoundComponent> components,
            Token token,
            Predicate<ParkedSequence> isSettledHere,
            Clock clock,
            Runnable requireUnchanged) {
        this.isSettledHere = isSettledHere;
        this.clock = clock;
        this.requireUnchanged = requireUnchanged;
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

    /** Sequences that awaited another version are due if this version can handle them. */
    List<ParkedSequence> findAll() {
        return find(EnumSet.allOf(SequenceState.class)).stream()
                .map(this::dueIfSettledHere)
                .toList();
    }

    List<ParkedSequence> findPending() {
        List<ParkedSequence> found = find(EnumSet.of(SequenceState.PENDING));
        requireUnchanged.run();
        return found;
    }

    List<ParkedSequence> findByIds(Collection<SequenceId> ids) {
        List<ParkedSequence> found = letters.findSequences(ids);
        requireUnchanged.run();
        return found;
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

    private ParkedSequence dueIfSettledHere(ParkedSequence sequence) {
        return sequence.awaits() != null && isSettledHere.test(sequence) ? sequence.awaited(clock.instant()) : sequence;
    }

    private boolean isKnown(ParkedSequence sequence) {
        return components.stream()
                .anyMatch(component -> component.id().equals(sequence.id().component()));
    }
}

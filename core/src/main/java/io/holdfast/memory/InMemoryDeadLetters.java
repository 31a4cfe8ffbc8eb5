package io.holdfast.memory;

import io.holdfast.action.LetterItem;
import io.holdfast.action.Settlement;
import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLedger;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.event.StreamPosition;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The queues of all components. Guarded by its own monitor; changed only under the head lock. */
final class InMemoryDeadLetters {

    private final NavigableMap<String, InMemoryQueue> queues = new TreeMap<>();
    private final InMemoryActions actions;
    private final InMemoryCauseGroups groups = new InMemoryCauseGroups();

    InMemoryDeadLetters(InMemoryActions actions) {
        this.actions = actions;
    }

    /** Returns the actions whose items are settled together with the changes of their letters. */
    InMemoryActions actions() {
        return actions;
    }

    /** Reads from the queue of a component. */
    synchronized <T> T read(String component, Function<InMemoryQueue, T> query) {
        return query.apply(queues.getOrDefault(component, new InMemoryQueue()));
    }

    /** Returns all sequences of a processor, ordered by component and sequence. */
    synchronized List<ParkedSequence> sequences(String consumer) {
        return of(consumer).toList();
    }

    synchronized boolean hasAny(String consumer) {
        return of(consumer).findAny().isPresent();
    }

    private Stream<ParkedSequence> of(String consumer) {
        return queues.values().stream()
                .flatMap(queue -> queue.sequences().stream())
                .filter(sequence -> sequence.consumer().equals(consumer));
    }

    synchronized Optional<ParkedSequence> find(SequenceId id) {
        return read(id.component(), queue -> Optional.ofNullable(queue.sequence(id.sequence())));
    }

    /** Returns the letters of sagas, unordered; sagas without letters are missing. */
    synchronized Map<String, List<SagaLetter>> ofSagas(Collection<String> sagaIds) {
        Map<String, List<SagaLetter>> found = new HashMap<>();
        for (String sagaId : Set.copyOf(sagaIds)) {
            List<SagaLetter> letters = queues.values().stream()
                    .flatMap(queue -> queue.lettersOfSaga(sagaId))
                    .toList();
            if (!letters.isEmpty()) {
                found.put(sagaId, letters);
            }
        }
        return found;
    }

    synchronized boolean isParked(ParkedEvent event) {
        return read(event.component(), queue -> queue.letter(event.event()) != null);
    }

    synchronized boolean exists(LetterId letter) {
        SequenceId sequence = letter.sequence();
        return read(sequence.component(), queue -> queue.letters(sequence.sequence())
                .containsKey(letter.number()));
    }

    private NavigableMap<Long, DeadLetter> lettersOf(SequenceId sequence) {
        return new TreeMap<>(queue(sequence).letters(sequence.sequence()));
    }

    /** Applies removals first, because a sequence that ended may start again in the same commit. */
    synchronized void apply(LetterWrites writes, @Nullable String replica) {
        QueueLedger ledger = new QueueLedger(new Committed());
        ledger.apply(writes.withLimits(Map.of()));
        writes.removed().forEach(this::remove);
        writes.removedSequences().forEach(ended -> queue(ended).remove(ended.sequence()));
        writes.added().forEach(letter -> queue(letter.sequence()).put(letter));
        writes.replaced().stream().filter(letter -> exists(letter.id())).forEach(letter -> queue(letter.sequence())
                .put(letter));
        writes.sequences().forEach(sequence -> queue(sequence.id()).put(sequence));
        queues.values().removeIf(queue -> queue.sequences().isEmpty());
        groups.apply(ledger.changedGroups());
        actions.apply(writes, replica);
    }

    /** Returns the cause groups. */
    InMemoryCauseGroups groups() {
        return groups;
    }

    /** Returns all parked letters as entries. */
    synchronized List<Entry> entries() {
        return queues.values().stream()
                .flatMap(queue -> queue.sequences().stream())
                .flatMap(this::entries)
                .toList();
    }

    private Stream<Entry> entries(ParkedSequence sequence) {
        List<DeadLetter> letters = List.copyOf(lettersOf(sequence.id()).values());
        return IntStream.range(0, letters.size()).mapToObj(i -> Entry.of(sequence, letters.get(i), i + 1));
    }

    /**
     * Removes the letters whose events are above these positions.
     *
     * @param settlement of the reset, to whose items the letters are added
     */
    synchronized void reset(
            String consumer, Map<String, StreamPosition> start, Instant now, @Nullable Settlement settlement) {
        for (ParkedSequence sequence : sequences(consumer)) {
            List<DeadLetter> above = lettersOf(sequence.id()).values().stream()
                    .filter(letter -> isAbove(letter, start))
                    .toList();
            if (!above.isEmpty()) {
                apply(cleared(sequence, above, now), settlement == null ? null : settlement.replica());
                addItems(sequence, above, settlement);
            }
        }
    }

    private void addItems(ParkedSequence sequence, List<DeadLetter> cleared, @Nullable Settlement settlement) {
        if (settlement != null) {
            cleared.forEach(letter -> actions.add(
                    settlement, LetterItem.of(letter, sequence), LetterOutcome.of(letter, Outcome.CLEARED)));
        }
    }

    private LetterWrites cleared(ParkedSequence sequence, List<DeadLetter> letters, Instant now) {
        List<LetterId> removed = letters.stream().map(DeadLetter::id).toList();
        Optional<ParkedSequence> rest = shortened(sequence, letters, now);
        List<SequenceId> ended = rest.isPresent() ? List.of() : List.of(sequence.id());
        return new LetterWrites(List.of(), List.of(), removed, rest.stream().toList(), ended)
                .withOutcomes(letters.stream()
                        .map(letter -> LetterOutcome.of(letter, Outcome.CLEARED))
                        .toList())
                .withResolved(letters.stream()
                        .map(letter -> ResolvedLetter.of(letter, sequence, ResolvedLetter.Status.CLEARED, null))
                        .toList());
    }

    private static boolean isAbove(DeadLetter letter, Map<String, StreamPosition> start) {
        StreamPosition from = start.get(letter.message().stream());
        return from != null && letter.message().position() > from.position();
    }

    /** Returns the sequence without these letters; empty if none is left. */
    private Optional<ParkedSequence> shortened(ParkedSequence sequence, List<DeadLetter> removed, Instant now) {
        NavigableMap<Long, DeadLetter> remaining = lettersOf(sequence.id());
        removed.forEach(letter -> remaining.remove(letter.number()));
        if (remaining.isEmpty()) {
            return Optional.empty();
        }
        DeadLetter first = remaining.firstEntry().getValue();
        ParkedSequence shorter = sequence.with(
                        remaining.firstKey(), remaining.lastKey(), remaining.size(), first.enqueuedAt())
                .withCauseOf(first);
        boolean isUntried = first.number() != sequence.first() && first.cause() == null;
        return Optional.of(
                isUntried ? shorter.shortened(shorter.first(), shorter.size(), first.enqueuedAt(), now) : shorter);
    }

    private InMemoryQueue queue(SequenceId id) {
        return queues.computeIfAbsent(id.component(), unknown -> new InMemoryQueue());
    }

    private void remove(LetterId id) {
        queue(id.sequence()).remove(id.sequence().sequence(), id.number());
    }

    private final class Committed implements QueueLedger.Committed {

        @Override
        public QueueCounts counts(String component) {
            return read(component, InMemoryQueue::counts);
        }

        @Override
        public @Nullable ParkedSequence sequence(SequenceId id) {
            return find(id).orElse(null);
        }
    }
}

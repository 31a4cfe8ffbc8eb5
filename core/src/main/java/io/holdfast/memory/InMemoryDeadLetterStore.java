package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLedger;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SagaLetters;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.token.Segments;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads committed letters, and changes them under the head lock. */
final class InMemoryDeadLetterStore implements DeadLetterStore {

    private static final Comparator<SagaLetter> SAGA_ORDER = Comparator.comparing(
                    (SagaLetter letter) -> letter.state() != SequenceState.PENDING)
            .thenComparing(SagaLetter::enqueuedAt)
            .thenComparing(letter -> letter.id().sequence().component())
            .thenComparing(letter -> letter.id().sequence().sequence())
            .thenComparing(letter -> letter.id().number());

    private final InMemoryState state;
    private final InMemoryDeadLetters letters;

    InMemoryDeadLetterStore(InMemoryState state) {
        this.state = state;
        this.letters = state.letters();
    }

    @Override
    public List<ParkedSequence> findSequences(
            String consumer, int number, int mask, Set<SequenceState> states, int limit) {
        return letters.sequences(consumer).stream()
                .filter(sequence -> Segments.covers(sequence.hash(), number, mask))
                .filter(sequence -> states.contains(sequence.state()))
                .limit(limit)
                .toList();
    }

    @Override
    public List<ParkedSequence> findSequences(Collection<SequenceId> ids) {
        return ids.stream().distinct().flatMap(id -> find(id).stream()).toList();
    }

    @Override
    public Optional<ParkedSequence> find(SequenceId sequence) {
        return letters.find(sequence);
    }

    @Override
    public List<ParkedSequence> findByNextAttempt(String component, @Nullable SequenceCursor after, int limit) {
        return letters.read(component, queue -> queue.byNextAttempt(after, limit));
    }

    @Override
    public List<ParkedSequence> findByAge(String component, @Nullable SequenceCursor after, int limit) {
        return letters.read(component, queue -> queue.byAge(after, limit));
    }

    @Override
    public List<ParkedSequence> findNewest(String component, @Nullable SequenceCursor before, int limit) {
        return letters.read(component, queue -> queue.newest(before, limit));
    }

    @Override
    public Optional<Instant> findOldestPending(String component) {
        return letters.read(component, InMemoryQueue::oldestPending);
    }

    @Override
    public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return letters.read(
                sequence.component(),
                queue -> queue.letters(sequence.sequence()).tailMap(fromNumber, true).values().stream()
                        .limit(limit)
                        .toList());
    }

    @Override
    public Map<SequenceId, List<DeadLetter>> findFirstLetters(Collection<ParkedSequence> sequences, int most) {
        return sequences.stream()
                .collect(Collectors.toMap(
                        ParkedSequence::id, sequence -> findLetters(sequence.id(), sequence.first(), most).stream()
                                .filter(letter -> letter.number() < sequence.first() + most)
                                .toList()));
    }

    @Override
    public Map<String, SagaLetters> findSagaLetters(Collection<String> sagaIds, int most) {
        return letters.ofSagas(sagaIds).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, saga -> sagaLetters(saga.getValue(), most)));
    }

    private static SagaLetters sagaLetters(List<SagaLetter> all, int most) {
        return new SagaLetters(all.stream().sorted(SAGA_ORDER).limit(most).toList(), all.size());
    }

    @Override
    public Optional<DeadLetter> findLetter(String component, UUID event) {
        return letters.read(component, queue -> Optional.ofNullable(queue.letter(event)));
    }

    @Override
    public QueueCounts counts(String component) {
        return letters.read(component, InMemoryQueue::counts);
    }

    @Override
    public void change(String consumer, Function<LetterReads, LetterWrites> change) {
        state.head().runLocked(() -> {
            LetterWrites writes = change.apply(this);
            if (!writes.isEmpty()) {
                check(writes);
                state.points().pass(CommitPoint.LETTERS_CHANGE, () -> write(consumer, writes));
            }
        });
    }

    private void check(LetterWrites writes) {
        Set<ParkedEvent> events = new HashSet<>();
        Set<LetterId> numbers = new HashSet<>();
        for (DeadLetter letter : writes.added()) {
            ParkedEvent event = ParkedEvent.of(letter);
            if (!events.add(event) || letters.isParked(event)) {
                throw new PermanentException(
                        "event " + event.event() + " is already parked by component " + event.component());
            }
            boolean isFree = !letters.exists(letter.id()) || writes.removed().contains(letter.id());
            if (!numbers.add(letter.id()) || !isFree) {
                throw new PermanentException(
                        "sequence " + letter.sequence() + " already has a letter number " + letter.number());
            }
        }
        new QueueLedger(new CommittedQueues()).apply(writes).ifPresent(overflow -> {
            throw overflow;
        });
    }

    private void write(String consumer, LetterWrites writes) {
        Set<Integer> hashes = Stream.concat(findSequences(writes.touched()).stream(), writes.sequences().stream())
                .map(ParkedSequence::hash)
                .collect(Collectors.toSet());
        letters.apply(writes, null);
        state.tokens().raiseVersions(consumer, hashes);
    }

    private final class CommittedQueues implements QueueLedger.Committed {

        @Override
        public QueueCounts counts(String component) {
            return InMemoryDeadLetterStore.this.counts(component);
        }

        @Override
        public @Nullable ParkedSequence sequence(SequenceId id) {
            return find(id).orElse(null);
        }
    }
}

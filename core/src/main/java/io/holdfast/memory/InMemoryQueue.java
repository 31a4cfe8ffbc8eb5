package io.holdfast.memory;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.deadletter.SequenceState;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parked sequences and letters of one component. Guarded by its owner's monitor. */
final class InMemoryQueue {

    private static final Comparator<SequenceCursor> ORDER =
            Comparator.comparing(SequenceCursor::time).thenComparing(SequenceCursor::sequence);

    private final NavigableMap<String, ParkedSequence> sequences = new TreeMap<>();
    private final NavigableMap<SequenceCursor, ParkedSequence> byNextAttempt = new TreeMap<>(ORDER);
    private final NavigableMap<SequenceCursor, ParkedSequence> byAge = new TreeMap<>(ORDER);
    private final NavigableMap<SequenceCursor, ParkedSequence> pending = new TreeMap<>(ORDER);
    private final Map<String, NavigableMap<Long, DeadLetter>> letters = new HashMap<>();
    private final Map<UUID, DeadLetter> events = new HashMap<>();
    private final InMemorySagaIndex sagas = new InMemorySagaIndex();
    private QueueCounts counts = QueueCounts.EMPTY;

    QueueCounts counts() {
        return counts;
    }

    Collection<ParkedSequence> sequences() {
        return sequences.values();
    }

    @Nullable
    ParkedSequence sequence(String id) {
        return sequences.get(id);
    }

    List<ParkedSequence> byNextAttempt(@Nullable SequenceCursor after, int limit) {
        return after(byNextAttempt, after, limit);
    }

    List<ParkedSequence> byAge(@Nullable SequenceCursor after, int limit) {
        return after(byAge, after, limit);
    }

    List<ParkedSequence> newest(@Nullable SequenceCursor before, int limit) {
        return after(byAge.descendingMap(), before, limit);
    }

    Optional<Instant> oldestPending() {
        return pending.isEmpty()
                ? Optional.empty()
                : Optional.of(pending.firstKey().time());
    }

    private static List<ParkedSequence> after(
            NavigableMap<SequenceCursor, ParkedSequence> ordered, @Nullable SequenceCursor after, int limit) {
        return (after == null ? ordered : ordered.tailMap(after, false))
                .values().stream().limit(limit).toList();
    }

    void put(ParkedSequence sequence) {
        remove(sequence.id().sequence());
        sequences.put(sequence.id().sequence(), sequence);
        byNextAttempt.put(SequenceCursor.byNextAttempt(sequence), sequence);
        byAge.put(SequenceCursor.byAge(sequence), sequence);
        if (sequence.state() == SequenceState.PENDING) {
            pending.put(SequenceCursor.byAge(sequence), sequence);
        }
        counts = counts.with(sequence);
    }

    void remove(String id) {
        ParkedSequence removed = sequences.remove(id);
        if (removed != null) {
            byNextAttempt.remove(SequenceCursor.byNextAttempt(removed));
            byAge.remove(SequenceCursor.byAge(removed));
            pending.remove(SequenceCursor.byAge(removed));
            counts = counts.without(removed);
        }
    }

    @Nullable
    DeadLetter letter(UUID event) {
        return events.get(event);
    }

    NavigableMap<Long, DeadLetter> letters(String sequence) {
        return letters.getOrDefault(sequence, new TreeMap<>());
    }

    Stream<SagaLetter> lettersOfSaga(String sagaId) {
        return sagas.find(sagaId).stream().flatMap(letter -> {
            ParkedSequence sequence = sequences.get(letter.sequence().sequence());
            return sequence == null ? Stream.empty() : Stream.of(SagaLetter.of(letter, sequence));
        });
    }

    void put(DeadLetter letter) {
        DeadLetter replaced = letters.computeIfAbsent(letter.sequence().sequence(), unknown -> new TreeMap<>())
                .put(letter.number(), letter);
        if (replaced != null) {
            sagas.remove(replaced);
        }
        events.put(letter.message().id(), letter);
        sagas.put(letter);
    }

    void remove(String sequence, long number) {
        NavigableMap<Long, DeadLetter> parked = letters(sequence);
        DeadLetter removed = parked.remove(number);
        if (removed != null) {
            events.remove(removed.message().id());
            sagas.remove(removed);
        }
        if (parked.isEmpty()) {
            letters.remove(sequence);
        }
    }
}

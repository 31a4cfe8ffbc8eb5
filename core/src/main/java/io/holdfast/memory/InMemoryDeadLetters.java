package io.holdfast.memory;

import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Segments;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Letters by sequence and number. Guarded by its own monitor; changed by whoever holds the head. */
final class InMemoryDeadLetters implements DeadLetterStore {

    private final NavigableMap<SequenceId, ParkedSequence> sequences =
            new TreeMap<>(Comparator.comparing(SequenceId::component).thenComparing(SequenceId::sequence));

    private final Map<SequenceId, NavigableMap<Long, DeadLetter>> letters = new HashMap<>();
    private final Set<ParkedEvent> events = new HashSet<>();

    @Override
    public synchronized List<ParkedSequence> findSequences(String consumer, int number, int mask) {
        return sequences.values().stream()
                .filter(sequence -> sequence.consumer().equals(consumer))
                .filter(sequence -> Segments.isOf(sequence.hash(), number, mask))
                .toList();
    }

    @Override
    public synchronized Optional<ParkedSequence> find(SequenceId sequence) {
        return Optional.ofNullable(sequences.get(sequence));
    }

    @Override
    public synchronized List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return lettersOf(sequence).tailMap(fromNumber, true).values().stream()
                .limit(limit)
                .toList();
    }

    synchronized boolean isParked(ParkedEvent event) {
        return events.contains(event);
    }

    synchronized boolean exists(LetterId letter) {
        return lettersOf(letter.sequence()).containsKey(letter.number());
    }

    synchronized boolean hasAny(String consumer) {
        return sequences.values().stream()
                .anyMatch(sequence -> sequence.consumer().equals(consumer));
    }

    /** What leaves comes first: a sequence that ended may begin again in the same commit. */
    synchronized void apply(LetterWrites writes) {
        writes.removed().forEach(this::remove);
        writes.ended().forEach(sequences::remove);
        writes.added().forEach(this::put);
        writes.replaced().stream()
                .filter(letter -> exists(new LetterId(letter.sequence(), letter.number())))
                .forEach(this::put);
        writes.sequences().forEach(sequence -> sequences.put(sequence.id(), sequence));
    }

    /** Lets the letters go whose events lie above these positions. */
    synchronized void reset(String consumer, Map<String, StreamPosition> start, Instant now) {
        for (ParkedSequence sequence : findSequences(consumer, 0, 0)) {
            List<DeadLetter> above = lettersOf(sequence.id()).values().stream()
                    .filter(letter -> isAbove(letter, start))
                    .toList();
            above.forEach(letter -> remove(new LetterId(letter.sequence(), letter.number())));
            if (!above.isEmpty()) {
                shorten(sequence, now);
            }
        }
    }

    private static boolean isAbove(DeadLetter letter, Map<String, StreamPosition> start) {
        StreamPosition from = start.get(letter.message().stream());
        return from != null && letter.message().position() > from.position();
    }

    private void shorten(ParkedSequence sequence, Instant now) {
        NavigableMap<Long, DeadLetter> left = lettersOf(sequence.id());
        if (left.isEmpty()) {
            sequences.remove(sequence.id());
            return;
        }
        DeadLetter head = left.firstEntry().getValue();
        ParkedSequence kept = left(sequence, left.firstKey(), left.lastKey(), left.size());
        boolean isUntried = head.number() != sequence.head() && head.cause() == null;
        sequences.put(sequence.id(), isUntried ? kept.shortened(kept.head(), kept.size(), now) : kept);
    }

    private static ParkedSequence left(ParkedSequence before, long head, long tail, int size) {
        return new ParkedSequence(
                before.id(),
                before.consumer(),
                before.hash(),
                head,
                tail,
                size,
                before.state(),
                before.attempts(),
                before.nextAttempt(),
                before.heldBy(),
                before.heldSince());
    }

    private NavigableMap<Long, DeadLetter> lettersOf(SequenceId sequence) {
        return letters.getOrDefault(sequence, new TreeMap<>());
    }

    private void put(DeadLetter letter) {
        letters.computeIfAbsent(letter.sequence(), unknown -> new TreeMap<>()).put(letter.number(), letter);
        events.add(ParkedEvent.of(letter));
    }

    private void remove(LetterId id) {
        NavigableMap<Long, DeadLetter> parked = lettersOf(id.sequence());
        @Nullable DeadLetter removed = parked.remove(id.number());
        if (removed != null) {
            events.remove(ParkedEvent.of(removed));
        }
        if (parked.isEmpty()) {
            letters.remove(id.sequence());
        }
    }
}

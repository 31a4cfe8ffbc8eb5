package io.holdfast.memory;

import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.StreamPosition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The queues of all components. Guarded by its own monitor; changed by whoever holds the head. */
final class InMemoryDeadLetters {

    private final NavigableMap<String, InMemoryQueue> queues = new TreeMap<>();

    /** Looks at the queue of a component. */
    synchronized <T> T read(String component, Function<InMemoryQueue, T> look) {
        return look.apply(queues.getOrDefault(component, new InMemoryQueue()));
    }

    /** All sequences of a processor, by component and sequence. */
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

    /** What leaves comes first: a sequence that ended may begin again in the same commit. */
    synchronized void apply(LetterWrites writes) {
        writes.removed().forEach(this::remove);
        writes.removedSequences().forEach(ended -> queue(ended).remove(ended.sequence()));
        writes.added().forEach(letter -> queue(letter.sequence()).put(letter));
        writes.replaced().stream().filter(letter -> exists(letter.id())).forEach(letter -> queue(letter.sequence())
                .put(letter));
        writes.sequences().forEach(sequence -> queue(sequence.id()).put(sequence));
        queues.values().removeIf(queue -> queue.sequences().isEmpty());
    }

    /** Lets the letters go whose events lie above these positions. */
    synchronized void reset(String consumer, Map<String, StreamPosition> start, Instant now) {
        for (ParkedSequence sequence : sequences(consumer)) {
            List<DeadLetter> above = lettersOf(sequence.id()).values().stream()
                    .filter(letter -> isAbove(letter, start))
                    .toList();
            above.forEach(letter -> remove(letter.id()));
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
            queue(sequence.id()).remove(sequence.id().sequence());
            return;
        }
        DeadLetter head = left.firstEntry().getValue();
        ParkedSequence kept = sequence.with(left.firstKey(), left.lastKey(), left.size(), head.enqueuedAt());
        boolean isUntried = head.number() != sequence.first() && head.cause() == null;
        queue(sequence.id()).put(isUntried ? kept.shortened(kept.first(), kept.size(), head.enqueuedAt(), now) : kept);
    }

    private InMemoryQueue queue(SequenceId id) {
        return queues.computeIfAbsent(id.component(), unknown -> new InMemoryQueue());
    }

    private void remove(LetterId id) {
        queue(id.sequence()).remove(id.sequence().sequence(), id.number());
    }
}

package io.holdfast.deadletter;

import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.event.EventMessage;
import io.holdfast.token.Segments;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is parked for one component, first in, first out for each sequence.
 *
 * <p>Processors park by themselves, in the commit that moves their position; what is changed here is changed beside them,
 * and never lets an event overtake a parked one.
 *
 * <p>For any number of threads. Everything that is read is as it is committed, and costs the same however much is parked.
 */
public final class SequencedDeadLetterQueue {

    private final DeadLetterStore store;
    private final String name;
    private final String component;
    private final String consumer;
    private final QueueLimits limits;
    private final Clock clock;
    private final DeadLetterListener listener;

    /**
     * @param consumer the processor
     * @param component the component's stable id
     */
    public SequencedDeadLetterQueue(
            DeadLetterStore store, String name, String consumer, String component, QueueLimits limits, Clock clock) {
        this(store, name, consumer, component, limits, clock, change -> {});
    }

    /** @param listener told what is changed by this object */
    public SequencedDeadLetterQueue(
            DeadLetterStore store,
            String name,
            String consumer,
            String component,
            QueueLimits limits,
            Clock clock,
            DeadLetterListener listener) {
        this.store = store;
        this.name = name;
        this.consumer = consumer;
        this.component = component;
        this.limits = limits;
        this.clock = clock;
        this.listener = listener;
    }

    /** The name of the queue of a component. */
    public static String name(String processor, String component) {
        return "DeadLetterQueue[" + processor + "][" + component + "]";
    }

    /** {@code DeadLetterQueue[processor][component]}. */
    public String name() {
        return name;
    }

    /** The stable id that its letters are kept under, whatever the component is called now. */
    public String component() {
        return component;
    }

    public boolean contains(String sequence) {
        return find(sequence).isPresent();
    }

    /** What is known of a sequence, if letters of it are parked. */
    public Optional<ParkedSequence> find(String sequence) {
        return store.find(id(sequence));
    }

    public QueueCounts counts() {
        return store.counts(component);
    }

    /** How many letters are parked. */
    public long size() {
        return counts().letters();
    }

    /** How many letters of a sequence are parked. */
    public int sequenceSize(String sequence) {
        return find(sequence).map(ParkedSequence::size).orElse(0);
    }

    public long amountOfSequences() {
        return counts().sequences();
    }

    /** Whether {@link #enqueue} has no room for an event of this sequence. */
    public boolean isFull(String sequence) {
        return find(sequence)
                .map(parked -> parked.size() >= limits.maxSequenceSize())
                .orElseGet(() -> counts().pending() >= limits.maxSequences());
    }

    /** The letters of a sequence, in order, read as they are asked for; those that leave meanwhile may be missed. */
    public Iterable<DeadLetter> deadLetterSequence(String sequence) {
        return () -> new LetterPages(store, id(sequence));
    }

    /**
     * All sequences, each once, that with the oldest head first, read as they are asked for; those that leave meanwhile may be
     * missed. Payloads are not decoded.
     */
    public Iterable<Iterable<DeadLetter>> deadLetters() {
        return () -> new SequencePages(store, component);
    }

    /** The letter of an event, if that is parked here. */
    public Optional<DeadLetter> findLetter(UUID event) {
        return store.findLetter(component, event);
    }

    /**
     * Parks an event: begins its sequence, which waits for a person, or comes behind what is parked of it.
     *
     * @param cause why; not kept if it comes behind another
     * @return whether it was parked; false if it is already
     * @throws DeadLetterQueueOverflowException if there is no room
     */
    public boolean enqueue(String sequence, EventMessage event, Cause cause) {
        return change(event.id(), parked -> {
            if (parked.findLetter(component, event.id()).isPresent()) {
                return LetterWrites.NONE;
            }
            return parked.find(id(sequence))
                    .map(before -> appendTo(before, event))
                    .orElseGet(() -> startSequence(id(sequence), event, cause));
        });
    }

    /**
     * Parks an event behind others of its sequence, if there are any.
     *
     * @param event asked for only if there are
     * @return whether it is parked; false also if the last of the others has left before it could be
     */
    public boolean enqueueIfPresent(String sequence, Supplier<EventMessage> event) {
        if (!contains(sequence)) {
            return false;
        }
        EventMessage message = event.get(); // user code: not while the head is held
        return change(
                        message.id(),
                        parked -> parked.findLetter(component, message.id()).isPresent()
                                ? LetterWrites.NONE
                                : parked.find(id(sequence))
                                        .map(before -> appendTo(before, message))
                                        .orElse(LetterWrites.NONE))
                || findLetter(message.id()).isPresent();
    }

    /**
     * Removes a letter for good. If it was the head, the sequence goes on behind it by itself.
     *
     * @return whether it was there
     */
    public boolean evict(DeadLetter letter) {
        Instant now = clock.instant();
        return changeLetter(letter, parked -> (sequence, found) -> {
            List<LetterId> removed = List.of(found.id());
            if (sequence.size() == 1) {
                return new LetterWrites(List.of(), List.of(), removed, List.of(), List.of(sequence.id()));
            }
            return new LetterWrites(
                    List.of(), List.of(), removed, List.of(without(parked, sequence, found, now)), List.of());
        });
    }

    private static ParkedSequence without(LetterReads parked, ParkedSequence sequence, DeadLetter found, Instant now) {
        int left = sequence.size() - 1;
        if (found.number() != sequence.first()) {
            return sequence.with(sequence.first(), sequence.last(), left, sequence.since());
        }
        DeadLetter next =
                parked.findLetters(sequence.id(), found.number() + 1, 1).get(0);
        return sequence.shortened(next.number(), left, next.enqueuedAt(), now);
    }

    /**
     * Changes a letter in its place: its cause, attempts and diagnostics.
     *
     * @param change of what is found, which may not be what was read; pure and quick
     * @return whether it was there
     */
    public boolean requeue(DeadLetter letter, UnaryOperator<DeadLetter> change) {
        Instant now = clock.instant();
        return changeLetter(letter, parked -> (sequence, found) -> {
            DeadLetter changed = change.apply(found);
            DeadLetter kept = new DeadLetter(
                    found.sequence(),
                    found.number(),
                    found.message(),
                    changed.cause() == null ? found.cause() : changed.cause(), // a head is never without one
                    found.enqueuedAt(),
                    now,
                    changed.attempts(),
                    changed.diagnostics());
            return new LetterWrites(List.of(), List.of(kept), List.of(), List.of(sequence), List.of());
        });
    }

    private boolean changeLetter(
            DeadLetter letter, Function<LetterReads, BiFunction<ParkedSequence, DeadLetter, LetterWrites>> change) {
        return change(letter.message().id(), parked -> parked.findLetter(
                        component, letter.message().id())
                .flatMap(found -> parked.find(found.sequence())
                        .map(sequence -> change.apply(parked).apply(sequence, found)))
                .orElse(LetterWrites.NONE));
    }

    /** @param event whose letter is added, changed or removed */
    private boolean change(UUID event, Function<LetterReads, LetterWrites> change) {
        List<LetterWrites> written = new ArrayList<>();
        store.change(consumer, parked -> {
            LetterWrites writes = change.apply(parked);
            written.clear();
            written.add(writes);
            return writes.withLimits(Map.of(component, limits));
        });
        written.forEach(writes -> notifyListener(event, writes));
        return written.stream().anyMatch(writes -> !writes.isEmpty());
    }

    private void notifyListener(UUID event, LetterWrites writes) {
        for (DeadLetter letter : writes.added()) {
            boolean isFirst = letter.cause() != null;
            boolean isPending = writes.sequences().stream().anyMatch(it -> it.state() == SequenceState.PENDING);
            notifyListener(isFirst ? Kind.PARKED : Kind.PARKED_BEHIND, letter.sequence(), isPending, letter);
            if (isFirst) {
                notifyListener(Kind.PENDING, letter.sequence(), true, letter);
            }
        }
        writes.removed()
                .forEach(letter -> listener.changed(
                        new DeadLetterChange(Kind.EVICTED, name, letter.sequence(), 1, true, null, List.of(event))));
    }

    private void notifyListener(Kind kind, SequenceId sequence, boolean entries, @Nullable DeadLetter letter) {
        listener.changed(new DeadLetterChange(kind, name, sequence, 1, entries, letter));
    }

    private LetterWrites startSequence(SequenceId id, EventMessage event, Cause cause) {
        Instant now = clock.instant();
        ParkedSequence sequence = ParkedSequence.start(id, consumer, Segments.hash(id.sequence()), now)
                .pending(0, now);
        DeadLetter letter =
                DeadLetter.notAttempted(id, sequence.first(), event, now).withCause(cause, now);
        return new LetterWrites(List.of(letter), List.of(), List.of(), List.of(sequence), List.of());
    }

    private LetterWrites appendTo(ParkedSequence before, EventMessage event) {
        ParkedSequence grown = before.grown();
        DeadLetter letter = DeadLetter.notAttempted(before.id(), grown.last(), event, clock.instant());
        return new LetterWrites(List.of(letter), List.of(), List.of(), List.of(grown), List.of());
    }

    private SequenceId id(String sequence) {
        return new SequenceId(component, sequence);
    }
}

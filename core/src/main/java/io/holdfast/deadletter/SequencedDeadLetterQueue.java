package io.holdfast.deadletter;

import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.event.EventMessage;
import io.holdfast.event.SequenceHash;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the parked letters of one component. Each sequence is first in, first out.
 *
 * <p>Processors park events automatically, in the commit that advances their position. This class serves all other
 * callers. Its changes never let an event overtake a parked one.
 *
 * <p>Thread-safe. Reads return committed state, and their cost does not grow with the number of parked letters.
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
     * @param consumer the processor's name
     * @param component the component's stable id
     */
    public SequencedDeadLetterQueue(
            DeadLetterStore store, String name, String consumer, String component, QueueLimits limits, Clock clock) {
        this(store, name, consumer, component, limits, clock, change -> {});
    }

    /** @param listener notified of changes made through this object */
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

    /** Returns the name of a component's queue. */
    public static String name(String processor, String component) {
        return "DeadLetterQueue[" + processor + "][" + component + "]";
    }

    /** Returns {@code DeadLetterQueue[processor][component]}. */
    public String name() {
        return name;
    }

    /** Returns the component's stable id, which does not change when the component is renamed. */
    public String component() {
        return component;
    }

    public boolean contains(String sequence) {
        return find(sequence).isPresent();
    }

    /** Returns the state of a sequence, if letters of it are parked. */
    public Optional<ParkedSequence> find(String sequence) {
        return store.find(id(sequence));
    }

    public QueueCounts counts() {
        return store.counts(component);
    }

    /** Returns the number of parked letters. */
    public long size() {
        return counts().letters();
    }

    /** Returns the number of parked letters of a sequence. */
    public int sequenceSize(String sequence) {
        return find(sequence).map(ParkedSequence::size).orElse(0);
    }

    public long amountOfSequences() {
        return counts().sequences();
    }

    /** @return whether {@link #enqueue} has no room for an event of this sequence */
    public boolean isFull(String sequence) {
        return find(sequence)
                .map(parked -> parked.size() >= limits.maxSequenceSize())
                .orElseGet(() -> counts().pending() >= limits.maxSequences());
    }

    /** Returns the letters of a sequence in order, read lazily. Letters removed during the iteration may be missing. */
    public Iterable<DeadLetter> deadLetterSequence(String sequence) {
        return () -> new LetterPages(store, id(sequence));
    }

    /**
     * Returns all sequences, each once, ordered by the age of their first letter, read lazily. Sequences removed during
     * the iteration may be missing. Payloads are not decoded.
     */
    public Iterable<Iterable<DeadLetter>> deadLetters() {
        return () -> new SequencePages(store, component);
    }

    /** Returns the letter of an event, if the event is parked in this queue. */
    public Optional<DeadLetter> findLetter(UUID event) {
        return store.findLetter(component, event);
    }

    /**
     * Parks an event: behind the parked letters of its sequence, or as the first letter of a new PENDING sequence.
     * Idempotent.
     *
     * @param cause why the event is parked; not stored if it is parked behind another letter
     * @return whether the event was parked; false if it already is
     * @throws DeadLetterQueueOverflowException if the queue has no room
     * @throws io.holdfast.PermanentException if a store would change the text of the payload or the sequence
     */
    public boolean enqueue(String sequence, EventMessage event, Cause cause) {
        event.payload().requireStorable();
        return change(parked -> {
            if (parked.findLetter(component, event.id()).isPresent()) {
                return LetterWrites.NONE;
            }
            return parked.find(id(sequence))
                    .map(before -> appendTo(before, event))
                    .orElseGet(() -> startSequence(id(sequence), event, cause));
        });
    }

    /**
     * Parks an event behind the letters of its sequence, if there are any. Idempotent.
     *
     * @param event called only if letters of the sequence are parked
     * @return whether the event is parked; false also if the sequence's last letter is removed concurrently
     */
    public boolean enqueueIfPresent(String sequence, Supplier<EventMessage> event) {
        if (!contains(sequence)) {
            return false;
        }
        EventMessage message = event.get(); // user code must not run while the head row is locked
        message.payload().requireStorable();
        return change(parked -> parked.findLetter(component, message.id()).isPresent()
                        ? LetterWrites.NONE
                        : parked.find(id(sequence))
                                .map(before -> appendTo(before, message))
                                .orElse(LetterWrites.NONE))
                || findLetter(message.id()).isPresent();
    }

    /**
     * Removes a letter permanently. If it was the first, the next letter is due immediately and is retried
     * automatically.
     *
     * @return whether the letter existed
     */
    public boolean evict(DeadLetter letter) {
        return remove(letter, LetterOutcome.EVICTED);
    }

    /** As {@link #evict}, on behalf of an operator. */
    public boolean discard(DeadLetter letter) {
        return remove(letter, null);
    }

    private boolean remove(DeadLetter letter, @Nullable String detail) {
        Instant now = clock.instant();
        RepairResult result = repair(letter.message().id(), parked -> parked.findLetter(
                        component, letter.message().id())
                .flatMap(found -> parked.find(found.sequence())
                        .map(sequence -> LetterRemoval.of(parked, sequence, found, detail, now)))
                .orElse(RepairResult.NOTHING));
        return !result.writes().isEmpty();
    }

    /**
     * Changes a letter on behalf of an operator, whether it is parked or was discarded.
     *
     * @param repair computes the change from the parked letters; must be pure and quick
     * @throws DeadLetterQueueOverflowException if the queue has no room
     */
    public RepairResult repair(UUID event, Function<LetterReads, RepairResult> repair) {
        AtomicReference<RepairResult> computed = new AtomicReference<>(RepairResult.NOTHING);
        store.change(consumer, parked -> {
            RepairResult next = repair.apply(parked);
            computed.set(next);
            return next.writes().withLimits(Map.of(component, limits));
        });
        RepairResult result = Objects.requireNonNull(computed.get());
        notifyListener(event, result);
        return result;
    }

    private void notifyListener(UUID event, RepairResult repaired) {
        LetterWrites writes = repaired.writes();
        writes.removed()
                .forEach(letter -> listener.changed(change(Kind.EVICTED, letter.sequence(), true, null)
                        .withNewEntries(repaired.newEntries())
                        .withRemoved(List.of(event))));
        writes.added()
                .forEach(letter -> listener.changed(
                        change(Kind.RESTORED, letter.sequence(), true, letter).withNewEntries(repaired.newEntries())));
    }

    /**
     * Changes the cause, attempts and diagnostics of a letter. The letter keeps its place in the sequence.
     *
     * @param change applied to the stored letter, which may differ from {@code letter}; must be pure and quick
     * @return whether the letter existed
     */
    public boolean requeue(DeadLetter letter, UnaryOperator<DeadLetter> change) {
        Instant now = clock.instant();
        return changeLetter(letter, (sequence, found) -> {
            DeadLetter changed = change.apply(found);
            DeadLetter replacement = new DeadLetter(
                    found.sequence(),
                    found.number(),
                    found.message(),
                    changed.cause() == null ? found.cause() : changed.cause(), // a first letter always has one
                    found.enqueuedAt(),
                    now,
                    changed.attempts(),
                    changed.diagnostics(),
                    changed.failedReplays());
            boolean isFirst = found.number() == sequence.first();
            ParkedSequence after = isFirst ? sequence.withCauseOf(replacement) : sequence;
            return new LetterWrites(List.of(), List.of(replacement), List.of(), List.of(after), List.of());
        });
    }

    private boolean changeLetter(DeadLetter letter, BiFunction<ParkedSequence, DeadLetter, LetterWrites> change) {
        return change(parked -> parked.findLetter(component, letter.message().id())
                .flatMap(found -> parked.find(found.sequence()).map(sequence -> change.apply(sequence, found)))
                .orElse(LetterWrites.NONE));
    }

    private boolean change(Function<LetterReads, LetterWrites> change) {
        List<LetterWrites> written = new ArrayList<>();
        store.change(consumer, parked -> {
            LetterWrites writes = change.apply(parked);
            written.clear();
            written.add(writes);
            return writes.withLimits(Map.of(component, limits));
        });
        written.forEach(this::notifyListener);
        return written.stream().anyMatch(writes -> !writes.isEmpty());
    }

    private void notifyListener(LetterWrites writes) {
        for (DeadLetter letter : writes.added()) {
            boolean isFirst = letter.cause() != null;
            boolean isEntry = writes.sequences().stream().anyMatch(ParkedSequence::escalated);
            listener.changed(change(isFirst ? Kind.PARKED : Kind.PARKED_BEHIND, letter.sequence(), isEntry, letter)
                    .withNewEntries(isEntry && !isFirst ? 1 : 0));
            if (isFirst) {
                listener.changed(
                        change(Kind.PENDING, letter.sequence(), true, letter).withNewEntries(1));
            }
        }
    }

    private DeadLetterChange change(Kind kind, SequenceId id, boolean affectsEntries, @Nullable DeadLetter letter) {
        return new DeadLetterChange(kind, name, id, 1, affectsEntries, letter);
    }

    private LetterWrites startSequence(SequenceId id, EventMessage event, Cause cause) {
        Instant now = clock.instant();
        ParkedSequence sequence = ParkedSequence.start(id, consumer, SequenceHash.of(id.sequence()), now)
                .pending(0, now);
        DeadLetter letter =
                DeadLetter.notAttempted(id, sequence.first(), event, now).withCause(cause, now);
        ParkedSequence started = sequence.withCauseOf(letter);
        return new LetterWrites(List.of(letter), List.of(), List.of(), List.of(started), List.of());
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

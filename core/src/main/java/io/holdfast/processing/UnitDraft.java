package io.holdfast.processing;

import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.token.TokenAdvance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A unit in the making: effects of what was handled, letters of what was not. What is behind a parked event, also behind
 * one that is parked by this very unit, is parked too.
 */
final class UnitDraft {

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final Instant now;
    private final List<Part> parts = new ArrayList<>();
    private final Set<HandlerTask> tasks = new LinkedHashSet<>();
    private final List<Drain> drains = new ArrayList<>();
    private final List<DeadLetter> added = new ArrayList<>();
    private final List<DeadLetter> replaced = new ArrayList<>();
    private final List<LetterId> removed = new ArrayList<>();
    private final Map<SequenceId, ParkedSequence> sequences = new LinkedHashMap<>();
    private final Set<SequenceId> ended = new LinkedHashSet<>();
    private final Set<SequenceId> startedAgain = new LinkedHashSet<>();

    UnitDraft(ProcessorContext context, ParkedSequences parked) {
        this.context = context;
        this.parked = parked;
        this.now = context.now();
    }

    boolean isEmpty() {
        return tasks.isEmpty() && drains.isEmpty() && sequences.isEmpty();
    }

    /** How many events or sequences would be settled. */
    int size() {
        return tasks.size() + drains.size();
    }

    Set<HandlerTask> tasks() {
        return tasks;
    }

    List<Drain> drains() {
        return drains;
    }

    CommitUnit unit(TokenAdvance advance) {
        return CommitUnit.of(
                parts,
                advance,
                new LetterWrites(added, replaced, removed, List.copyOf(sequences.values()), List.copyOf(ended)));
    }

    /** Takes a settled task; one that turns out not to be behind anything is to be handled instead. */
    void add(HandlerTask task) {
        ParkedSequence sequence = current(task.sequence());
        if (startedAgain.contains(task.sequence())) {
            task.startAgain(); // not before the one that it comes behind
            return;
        }
        if (sequence != null) {
            task.moveTo(HandlerTask.State.BEHIND);
            parkBehind(task, sequence);
        } else if (task.state() == HandlerTask.State.BEHIND) {
            task.startAgain();
            startedAgain.add(task.sequence());
            return;
        } else if (task.state() == HandlerTask.State.FAILED) {
            park(task);
        } else {
            addPart(task);
        }
        tasks.add(task);
    }

    /** Takes what came of a drain that does not run any more. */
    void add(Drain drain) {
        ParkedSequence sequence = current(drain.sequence().id());
        if (sequence == null) {
            drains.add(drain); // it left with a reset, and what was tried is not tried any more
            return;
        }
        int handled = drain.handled();
        List<HandlerTask> letters = drain.tasks();
        for (HandlerTask task : letters.subList(0, handled)) {
            addPart(task);
            removed.add(new LetterId(task.sequence(), letter(task).number()));
        }
        int left = sequence.size() - handled;
        if (left == 0) {
            ended.add(sequence.id());
            sequences.remove(sequence.id());
        } else {
            ParkedSequence rest = handled == 0
                    ? sequence
                    : sequence.shortened(letter(letters.get(handled - 1)).number() + 1, left, now);
            boolean failed = handled < letters.size() && letters.get(handled).state() == HandlerTask.State.FAILED;
            sequences.put(rest.id(), failed ? failedAgain(letters.get(handled), rest) : rest);
        }
        drains.add(drain);
    }

    /** A sequence has waited for its breaker for too long. */
    void leaveToAPerson(SequenceId id) {
        ParkedSequence sequence = current(id);
        if (sequence != null) {
            sequences.put(id, sequence.pending(sequence.attempts()));
        }
    }

    private void addPart(HandlerTask task) {
        Part part = task.part();
        if (!part.isEmpty()) {
            parts.add(task.letter() == null ? part : part.asRepeatable());
        }
    }

    private void park(HandlerTask task) {
        ParkedSequence fresh = new ParkedSequence(
                task.sequence(), context.processor(), task.hash(), 0, 0, 1, SequenceState.RETRYING, 0, now, null, null);
        ParkedSequence after = after(task, fresh);
        added.add(touched(DeadLetter.behind(task.sequence(), 0, task.event(), now), task, fresh, after));
        ended.remove(task.sequence());
        sequences.put(task.sequence(), after);
    }

    private void parkBehind(HandlerTask task, ParkedSequence sequence) {
        ParkedSequence grown = sequence.grown();
        added.add(DeadLetter.behind(task.sequence(), grown.tail(), task.event(), now));
        sequences.put(grown.id(), grown);
    }

    private ParkedSequence failedAgain(HandlerTask task, ParkedSequence rest) {
        ParkedSequence after = after(task, rest);
        replaced.add(touched(letter(task), task, rest, after));
        return after;
    }

    private ParkedSequence after(HandlerTask task, ParkedSequence before) {
        return context.policy().after(task.failure(), task.component().component(), before);
    }

    private DeadLetter touched(DeadLetter letter, HandlerTask task, ParkedSequence before, ParkedSequence after) {
        Cause cause = Cause.of(task.failure());
        return after.attempts() == before.attempts() ? letter.held(cause, now) : letter.failed(cause, now);
    }

    private @Nullable ParkedSequence current(SequenceId id) {
        ParkedSequence changed = sequences.get(id);
        if (changed != null || ended.contains(id)) {
            return changed;
        }
        return parked.find(id);
    }

    private static DeadLetter letter(HandlerTask task) {
        return Objects.requireNonNull(task.letter(), "a drain has letters");
    }

    /** The decisions of these have thrown: they have failed. */
    void handBack(Map<PartId, Throwable> failures) {
        Stream.concat(tasks.stream(), drains.stream().flatMap(drain -> drain.tasks().stream()))
                .filter(task -> task.state() == HandlerTask.State.HANDLED)
                .forEach(task -> {
                    Throwable failure = failures.get(task.partId());
                    if (failure != null) {
                        task.failed(failure);
                    }
                });
    }

    /**
     * The store refuses the only thing that it settles.
     *
     * @return whether that can be parked instead
     */
    boolean refuse(Throwable failure) {
        List<HandlerTask> handled = Stream.concat(
                        tasks.stream(), drains.stream().flatMap(drain -> drain.tasks().stream()))
                .filter(task -> task.state() == HandlerTask.State.HANDLED)
                .toList();
        if (handled.isEmpty()) {
            return false;
        }
        handled.get(0).failed(failure);
        return true;
    }

    @Nullable
    EventMessage firstEvent() {
        return tasks.stream().findFirst().map(HandlerTask::event).orElse(null);
    }

    /** It is durable. */
    void committed() {
        sequences.values().forEach(parked::put);
        ended.forEach(parked::remove);
        tasks.forEach(task -> task.moveTo(HandlerTask.State.COMMITTED));
    }

    /** The sequences that this unit parks for the first time, or leaves to a person. */
    Stream<ParkedSequence> changedSequences() {
        return sequences.values().stream();
    }

    List<DeadLetter> failedLetters() {
        return Stream.concat(added.stream().filter(letter -> letter.cause() != null), replaced.stream())
                .toList();
    }

    int parkedBehind() {
        return (int) added.stream().filter(letter -> letter.cause() == null).count();
    }

    int replayed() {
        return removed.size();
    }

    int handledEvents() {
        return (int) tasks.stream()
                .filter(task -> task.state() == HandlerTask.State.HANDLED)
                .count();
    }
}

package io.holdfast.processing.segment;

import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.RepairResult;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.token.TokenAdvance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a commit unit: effects of handled events, letters of failed ones. Events behind a parked one are parked too,
 * also behind one that this unit parks.
 */
public final class UnitBuilder {

    private final LetterWritesBuilder letters;
    private final List<Part> parts = new ArrayList<>();
    private final Set<HandlerTask> tasks = new LinkedHashSet<>();
    private final List<ReplayAttempt> replayAttempts = new ArrayList<>();
    private final Map<LetterRepair, RepairResult> repairs = new LinkedHashMap<>();
    private final List<AttemptOutcome> outcomes = new ArrayList<>();
    private final Set<SequenceId> restarted = new LinkedHashSet<>();
    private final Set<SequenceId> leftOut = new LinkedHashSet<>();
    private int madePending;
    private boolean leavesOutHeld;

    public UnitBuilder(LetterWritesBuilder letters) {
        this.letters = letters;
    }

    boolean isEmpty() {
        return tasks.isEmpty() && replayAttempts.isEmpty() && repairs.isEmpty() && letters.isEmpty();
    }

    /** Returns the number of events and sequences that the unit settles. */
    int size() {
        return tasks.size() + replayAttempts.size() + repairs.size() + madePending;
    }

    public Set<HandlerTask> tasks() {
        return tasks;
    }

    List<ReplayAttempt> replayAttempts() {
        return replayAttempts;
    }

    Map<LetterRepair, RepairResult> repairs() {
        return repairs;
    }

    /** Returns whether a letter of this sequence is changed by an operator. The next change sees its result. */
    boolean isRepairing(SequenceId sequence) {
        return repairs.keySet().stream().anyMatch(repair -> repair.sequence().equals(sequence));
    }

    /** Returns a sequence as the unit leaves it; null if nothing of it stays parked. */
    @Nullable
    ParkedSequence current(SequenceId sequence) {
        return letters.current(sequence);
    }

    /** Returns whether sequences that were HELD for too long are left out, because their queue is full. */
    boolean leavesOutHeld() {
        return leavesOutHeld;
    }

    CommitUnit build(TokenAdvance advance) {
        return CommitUnit.of(parts, advance, letters.writes());
    }

    /** Leaves out a task that is not settled, and all later ones of its sequence. */
    void leaveOut(HandlerTask task) {
        leftOut.add(task.sequence());
    }

    /** Adds a settled task. A task that turns out not to be behind a parked event is restarted instead. */
    public void add(HandlerTask task) {
        SequenceId id = task.sequence();
        if (leftOut.contains(id)) {
            task.guarded().release();
            return; // it must stay behind the one that was left out
        }
        if (restarted.contains(id)) {
            task.restart();
            return;
        }
        ParkedSequence sequence = letters.current(id);
        boolean isSettled;
        if (sequence != null) {
            task.guarded().release();
            task.moveTo(HandlerTask.State.BEHIND);
            isSettled = letters.parkBehind(task, sequence);
        } else if (task.state() == HandlerTask.State.BEHIND) {
            task.restart();
            restarted.add(id);
            return;
        } else if (task.state() == HandlerTask.State.FAILED && !letters.recover(task)) {
            isSettled = park(task);
        } else {
            addPart(task, 0);
            isSettled = true;
        }
        if (isSettled) {
            tasks.add(task);
        } else {
            leftOut.add(id);
        }
    }

    /** @return whether the event is settled; false if the queue is full */
    private boolean park(HandlerTask task) {
        if (letters.park(task) == LetterWritesBuilder.ParkResult.NO_ROOM) {
            return false;
        }
        outcomes.add(AttemptOutcome.failed(task, 0, letters.current(task.sequence())));
        return true;
    }

    /** Adds the result of a replay attempt that is no longer running. */
    void add(ReplayAttempt attempt) {
        ParkedSequence sequence = letters.current(attempt.sequence().id());
        if (sequence != null) { // otherwise a reset has removed it, and its result is void
            letters.recover(attempt, sequence);
            int earlier = sequence.attempts(); // of the first letter; those behind it have not been attempted
            for (HandlerTask task : attempt.tasks().subList(0, attempt.handled())) {
                addPart(task, earlier);
                earlier = 0;
            }
            letters.add(attempt, sequence);
            HandlerTask failed = attempt.failed();
            if (failed != null) {
                outcomes.add(AttemptOutcome.failed(failed, earlier, stillParked(failed)));
            }
        }
        replayAttempts.add(attempt);
    }

    /** Adds what an operator changes in a sequence that is not being replayed. */
    void add(LetterRepair repair, RepairResult result) {
        letters.add(result);
        repairs.put(repair, result);
    }

    /** Returns the sequence if it still begins with this letter; null if the letter is evicted. */
    private @Nullable ParkedSequence stillParked(HandlerTask failed) {
        ParkedSequence after = letters.current(failed.sequence());
        return after != null && after.first() == ReplayAttempt.letter(failed).number() ? after : null;
    }

    /** Makes a sequence PENDING that has been HELD for too long. */
    void makePending(SequenceId id) {
        if (letters.makePending(id)) {
            madePending++;
        } else {
            leavesOutHeld = true;
        }
    }

    private void addPart(HandlerTask task, int earlier) {
        AttemptOutcome.handled(task, earlier).ifPresent(outcomes::add);
        Part part = task.part();
        if (!part.isEmpty()) {
            parts.add(task.letter() == null ? part : part.asRepeatable());
        }
    }

    /** Fails the tasks whose decisions threw. */
    void failParts(Map<PartId, Throwable> failures) {
        handled().forEach(task -> {
            Throwable failure = failures.get(task.partId());
            if (failure != null) {
                task.failed(failure);
            }
        });
    }

    /**
     * Fails the only handled event of a unit that the store rejected.
     *
     * @return whether there is one, which can then be parked instead
     */
    boolean failFirstHandled(Throwable failure) {
        HandlerTask first = handled().findFirst().orElse(null);
        if (first == null) {
            return false;
        }
        first.failed(failure);
        return true;
    }

    /**
     * Settles events that are parked already, after the store rejected their letters.
     *
     * @return whether there was one
     */
    boolean settleAlreadyParked(Predicate<HandlerTask> isParked) {
        List<HandlerTask> parked = tasks.stream()
                .filter(task -> task.state() == HandlerTask.State.FAILED || task.state() == HandlerTask.State.BEHIND)
                .filter(isParked)
                .toList();
        parked.forEach(task -> task.moveTo(HandlerTask.State.COMMITTED));
        return !parked.isEmpty();
    }

    Stream<HandlerTask> handled() {
        return Stream.concat(tasks.stream(), replayAttempts.stream().flatMap(attempt -> attempt.tasks().stream()))
                .filter(task -> task.state() == HandlerTask.State.HANDLED);
    }

    @Nullable
    EventMessage firstEvent() {
        return tasks.stream().findFirst().map(HandlerTask::event).orElse(null);
    }

    /** Returns the first sequence of a component that the unit would leave parked. */
    Optional<SequenceId> firstParked(String component) {
        return letters.firstParked(component);
    }

    /** Updates tasks and cached sequences after the unit has become durable. */
    void committed() {
        letters.committed();
        tasks.forEach(task -> task.moveTo(HandlerTask.State.COMMITTED));
    }

    /** Reports the attempts to breakers and retries, after the unit has become durable. */
    void reportAttempts(ProcessorContext context) {
        outcomes.forEach(outcome -> outcome.report(context));
        replayAttempts.stream()
                .flatMap(attempt -> attempt.tasks().stream())
                .forEach(task -> task.guarded().release()); // handled behind a failed letter, or removed by a reset
    }

    List<DeadLetterChange> changes() {
        return letters.changes();
    }

    int handledEvents() {
        return (int) tasks.stream()
                .filter(task -> task.state() == HandlerTask.State.HANDLED)
                .count();
    }
}

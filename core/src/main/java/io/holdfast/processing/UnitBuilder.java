package io.holdfast.processing;

import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.token.TokenAdvance;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A unit in the making: effects of what was handled, letters of what was not. What is behind a parked event, also behind
 * one that is parked by this very unit, is parked too.
 */
final class UnitBuilder {

    private final LetterWritesBuilder letters;
    private final List<Part> parts = new ArrayList<>();
    private final Set<HandlerTask> tasks = new LinkedHashSet<>();
    private final List<ReplayAttempt> replayAttempts = new ArrayList<>();
    private final Set<SequenceId> restarted = new LinkedHashSet<>();
    private final Set<SequenceId> leftOut = new LinkedHashSet<>();
    private int madePending;
    private boolean leavesOutHeld;

    UnitBuilder(LetterWritesBuilder letters) {
        this.letters = letters;
    }

    boolean isEmpty() {
        return tasks.isEmpty() && replayAttempts.isEmpty() && letters.isEmpty();
    }

    /** How many events or sequences would be settled. */
    int size() {
        return tasks.size() + replayAttempts.size() + madePending;
    }

    Set<HandlerTask> tasks() {
        return tasks;
    }

    List<ReplayAttempt> replayAttempts() {
        return replayAttempts;
    }

    /** Whether sequences that were held for too long are left out, because there is no room for them. */
    boolean leavesOutHeld() {
        return leavesOutHeld;
    }

    CommitUnit build(TokenAdvance advance) {
        return CommitUnit.of(parts, advance, letters.writes());
    }

    /** Takes a settled task; one that turns out not to be behind anything is to be handled instead. */
    void add(HandlerTask task) {
        SequenceId id = task.sequence();
        if (leftOut.contains(id)) {
            return; // not before the one that it comes behind
        }
        if (restarted.contains(id)) {
            task.restart();
            return;
        }
        ParkedSequence sequence = letters.current(id);
        boolean isSettled;
        if (sequence != null) {
            task.moveTo(HandlerTask.State.BEHIND);
            isSettled = letters.parkBehind(task, sequence);
        } else if (task.state() == HandlerTask.State.BEHIND) {
            task.restart();
            restarted.add(id);
            return;
        } else if (task.state() == HandlerTask.State.FAILED) {
            isSettled = letters.park(task) != LetterWritesBuilder.ParkResult.NO_ROOM;
        } else {
            addPart(task);
            isSettled = true;
        }
        if (isSettled) {
            tasks.add(task);
        } else {
            leftOut.add(id);
        }
    }

    /** Takes what came of a drain that does not run any more. */
    void add(ReplayAttempt drain) {
        ParkedSequence sequence = letters.current(drain.sequence().id());
        if (sequence != null) { // else it left with a reset, and what was tried is not tried any more
            drain.tasks().subList(0, drain.handled()).forEach(this::addPart);
            letters.add(drain, sequence);
        }
        replayAttempts.add(drain);
    }

    /** A sequence has waited for its breaker for too long. */
    void makePending(SequenceId id) {
        if (letters.makePending(id)) {
            madePending++;
        } else {
            leavesOutHeld = true;
        }
    }

    private void addPart(HandlerTask task) {
        Part part = task.part();
        if (!part.isEmpty()) {
            parts.add(task.letter() == null ? part : part.asRepeatable());
        }
    }

    /** The decisions of these have thrown: they have failed. */
    void failParts(Map<PartId, Throwable> failures) {
        handled().forEach(task -> {
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
    boolean failFirstHandled(Throwable failure) {
        HandlerTask first = handled().findFirst().orElse(null);
        if (first == null) {
            return false;
        }
        first.failed(failure);
        return true;
    }

    /**
     * The store refuses what it would park: an event that is parked already is dealt with.
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

    private Stream<HandlerTask> handled() {
        return Stream.concat(tasks.stream(), replayAttempts.stream().flatMap(drain -> drain.tasks().stream()))
                .filter(task -> task.state() == HandlerTask.State.HANDLED);
    }

    @Nullable
    EventMessage firstEvent() {
        return tasks.stream().findFirst().map(HandlerTask::event).orElse(null);
    }

    /** The first sequence of a component that it would leave parked. */
    Optional<SequenceId> firstParked(String component) {
        return letters.firstParked(component);
    }

    /** It is durable. */
    void committed() {
        letters.committed();
        tasks.forEach(task -> task.moveTo(HandlerTask.State.COMMITTED));
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

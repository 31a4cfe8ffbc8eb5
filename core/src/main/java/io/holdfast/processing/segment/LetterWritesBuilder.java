package io.holdfast.processing.segment;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterOriginal;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.RepairResult;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.ResolvedLetter.Status;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.parking.ParkedSequences;
import io.holdfast.parking.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds the letter writes of a commit unit, and the changes to report once the unit is durable. */
public final class LetterWritesBuilder {

    /** The result of parking a failed event. */
    enum ParkResult {
        PARKED,
        /** The policy does not park it. */
        SKIPPED,
        /** The queue is full, so the event waits. */
        NO_ROOM
    }

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final SegmentOverflow overflow;
    private final FailedEvents failures;
    private final Instant now;
    private final List<DeadLetter> added = new ArrayList<>();
    private final List<DeadLetter> replaced = new ArrayList<>();
    private final List<LetterId> removed = new ArrayList<>();
    private final Map<SequenceId, ParkedSequence> sequences = new LinkedHashMap<>();
    private final Set<SequenceId> emptied = new LinkedHashSet<>();
    private final List<LetterOutcome> outcomes = new ArrayList<>();
    private final List<ResolvedLetter> resolved = new ArrayList<>();
    private final List<LetterOriginal> originals = new ArrayList<>();
    private final List<DeadLetterChange> changes = new ArrayList<>();

    public LetterWritesBuilder(ProcessorContext context, ParkedSequences parked, SegmentOverflow overflow) {
        this.context = context;
        this.parked = parked;
        this.overflow = overflow;
        this.now = context.now();
        this.failures = new FailedEvents(context, parked, now);
    }

    boolean isEmpty() {
        return sequences.isEmpty() && emptied.isEmpty();
    }

    /** Returns a sequence as the unit leaves it; null if nothing of it stays parked. */
    @Nullable
    ParkedSequence current(SequenceId id) {
        ParkedSequence changed = sequences.get(id);
        return changed != null || emptied.contains(id) ? changed : parked.find(id);
    }

    LetterWrites writes() {
        LetterWrites writes =
                new LetterWrites(added, replaced, removed, List.copyOf(sequences.values()), List.copyOf(emptied));
        Map<String, QueueLimits> limits = new HashMap<>();
        writes.touched().forEach(id -> limits.computeIfAbsent(id.component(), this::limits));
        return writes.withLimits(limits)
                .withOutcomes(outcomes)
                .withResolved(resolved)
                .withOriginals(originals);
    }

    private QueueLimits limits(String component) {
        return context.handlers().component(component).queue().effectiveLimits();
    }

    /**
     * Recovers a failed event instead of parking it, if it has finally failed. Needs no room in the queue.
     *
     * @return whether the event is handled now
     */
    boolean recover(HandlerTask task) {
        ParkedSequence fresh = fresh(task);
        return failures.recover(task, fresh, blank(task, fresh));
    }

    /** Recovers the letter at which a replay attempt failed, if it has finally failed. */
    void recover(ReplayAttempt attempt, ParkedSequence sequence) {
        HandlerTask failed = attempt.failed();
        if (failed != null) {
            var unused = failures.recover(failed, rest(attempt, sequence), ReplayAttempt.letter(failed));
        }
    }

    private ParkedSequence fresh(HandlerTask task) {
        return ParkedSequence.start(task.sequence(), context.processor(), task.hash(), now);
    }

    private DeadLetter blank(HandlerTask task, ParkedSequence fresh) {
        return DeadLetter.notAttempted(task.sequence(), fresh.first(), task.event(), now);
    }

    /** Parks a failed event as the first letter of its sequence. */
    ParkResult park(HandlerTask task) {
        ParkedSequence fresh = fresh(task);
        DeadLetter blank = blank(task, fresh);
        Optional<ParkedSequence> waiting = failures.waiting(task, fresh);
        boolean hasRoom = waiting.filter(FailedEvents::isAwaiting).isPresent()
                || !overflow.isRestricting(task.component().id());
        if (waiting.isEmpty() && !task.verdict(blank).parked()) {
            addChange(Kind.SKIPPED, task.sequence(), 1, false, blank.withCause(Cause.of(task.failure()), now));
            return ParkResult.SKIPPED;
        }
        if (!hasRoom) {
            return ParkResult.NO_ROOM;
        }
        ParkedSequence after = waiting.orElseGet(() -> failures.failed(task, fresh));
        DeadLetter letter =
                waiting.isPresent() ? blank.withCause(Cause.of(task.failure()), now) : withVerdict(task, blank);
        after = after.withCauseOf(letter);
        added.add(letter);
        emptied.remove(task.sequence());
        sequences.put(task.sequence(), after);
        addChange(Kind.PARKED, after.id(), 1, false, letter);
        addPendingChange(fresh, after, letter);
        return ParkResult.PARKED;
    }

    /** @return whether the event was parked; false if the queue is full */
    boolean parkBehind(HandlerTask task, ParkedSequence sequence) {
        if (!FailedEvents.isAwaiting(sequence)
                && overflow.isRestricting(task.component().id())) {
            return false;
        }
        ParkedSequence grown = sequence.grown();
        added.add(DeadLetter.notAttempted(task.sequence(), grown.last(), task.event(), now));
        sequences.put(grown.id(), grown);
        boolean isEntry = grown.escalated();
        addChange(change(Kind.PARKED_BEHIND, grown.id(), 1, isEntry, null).withNewEntries(isEntry ? 1 : 0));
        return true;
    }

    /** Adds the result of a replay attempt. */
    void add(ReplayAttempt attempt, ParkedSequence sequence) {
        List<HandlerTask> handled = attempt.tasks().subList(0, attempt.handled());
        boolean areEntries = attempt.requested() || sequence.escalated();
        int newPerLetter = areEntries && !sequence.escalated() ? 1 : 0;
        for (HandlerTask task : handled) {
            removed.add(ReplayAttempt.letter(task).id());
            LetterOutcome outcome = handled(task);
            outcomes.add(outcome);
            if (areEntries || outcome.detail() != null) {
                resolved.add(resolved(attempt, task, outcome));
            }
        }
        if (!handled.isEmpty()) {
            List<UUID> left = handled.stream().map(task -> task.event().id()).toList();
            addChange(change(Kind.REPLAYED, sequence.id(), handled.size(), areEntries, null)
                    .withNewEntries(newPerLetter * handled.size())
                    .withRemoved(left));
        }
        ParkedSequence rest = rest(attempt, sequence);
        HandlerTask failed = attempt.failed();
        if (failed == null) {
            putOrRemove(rest);
        } else if (staysParked(failed, rest)) {
            putOrRemove(failedAgain(attempt, failed, rest));
        } else {
            DeadLetter evicted = ReplayAttempt.letter(failed);
            removed.add(evicted.id());
            outcomes.add(LetterOutcome.of(evicted, Outcome.DISCARDED, LetterOutcome.EVICTED, null));
            resolved.add(resolved(attempt, evicted, Status.DISCARDED, LetterOutcome.EVICTED));
            addChange(change(Kind.EVICTED, sequence.id(), 1, true, evicted)
                    .withNewEntries(sequence.escalated() ? 0 : 1)
                    .withRemoved(List.of(evicted.message().id())));
            putOrRemove(attempt.shortened(sequence, handled.size() + 1, now));
        }
    }

    /** Adds what an operator changes about a letter. */
    void add(RepairResult repair) {
        LetterWrites writes = repair.writes();
        added.addAll(writes.added());
        replaced.addAll(writes.replaced());
        removed.addAll(writes.removed());
        outcomes.addAll(writes.outcomes());
        resolved.addAll(writes.resolved());
        originals.addAll(writes.originals());
        writes.sequences().forEach(this::putOrRemove);
        writes.removedSequences().forEach(id -> {
            emptied.add(id);
            sequences.remove(id);
        });
        addChanges(repair);
    }

    private void addChanges(RepairResult repair) {
        repair.writes()
                .resolved()
                .forEach(
                        letter -> addChange(change(Kind.EVICTED, letter.letter().sequence(), 1, true, letter.letter())
                                .withNewEntries(repair.newEntries())
                                .withRemoved(List.of(letter.event()))));
        repair.writes()
                .added()
                .forEach(letter -> addChange(change(Kind.RESTORED, letter.sequence(), 1, true, letter)
                        .withNewEntries(repair.newEntries())));
    }

    /** Returns the outcome of a handled letter. One that only waited for a handler that was retired has no effect. */
    private LetterOutcome handled(HandlerTask task) {
        DeadLetter letter = ReplayAttempt.letter(task);
        if (task.finalFailure() != null) {
            return LetterOutcome.of(letter, Outcome.APPLIED, LetterOutcome.RECOVERED, null);
        }
        return task.component().handles(task.event(), context.handlers().codec())
                ? LetterOutcome.of(letter, Outcome.APPLIED)
                : LetterOutcome.of(letter, Outcome.DISCARDED, LetterOutcome.RETIRED, null);
    }

    private static ResolvedLetter resolved(ReplayAttempt attempt, HandlerTask task, LetterOutcome outcome) {
        Status status = outcome.outcome() == Outcome.DISCARDED ? Status.DISCARDED : Status.REPLAYED;
        return resolved(attempt, ReplayAttempt.letter(task), status, outcome.detail());
    }

    private static ResolvedLetter resolved(
            ReplayAttempt attempt, DeadLetter letter, Status status, @Nullable String detail) {
        ResolvedLetter removed = ResolvedLetter.of(letter, attempt.sequence(), status, detail);
        String action = attempt.action();
        return action == null ? removed : removed.replayedBy(action);
    }

    /** Returns the outcome of a letter that stays parked. */
    private static LetterOutcome stillParked(DeadLetter letter, Optional<ParkedSequence> waiting) {
        return waiting.map(sequence -> LetterOutcome.of(
                        letter,
                        Outcome.NOT_TRIED,
                        FailedEvents.isAwaiting(sequence) ? LetterOutcome.NO_HANDLER : LetterOutcome.BREAKER_OPEN,
                        letter.cause()))
                .orElseGet(() -> LetterOutcome.of(letter, Outcome.FAILED_AGAIN, null, letter.cause()));
    }

    /** Returns the sequence without the letters that the attempt has handled. */
    private ParkedSequence rest(ReplayAttempt attempt, ParkedSequence sequence) {
        int handled = attempt.handled();
        return handled == 0 ? attempt.advancedToFirstLetter(sequence) : attempt.shortened(sequence, handled, now);
    }

    private void putOrRemove(ParkedSequence rest) {
        if (rest.size() == 0) {
            emptied.add(rest.id());
            sequences.remove(rest.id());
        } else {
            emptied.remove(rest.id());
            sequences.put(rest.id(), rest);
        }
    }

    /**
     * Only the policy evicts a letter. It is not consulted if the failure is due to a circuit breaker or to this
     * version.
     */
    private boolean staysParked(HandlerTask failed, ParkedSequence before) {
        return failures.waiting(failed, before).isPresent()
                || failed.verdict(ReplayAttempt.letter(failed)).parked();
    }

    private ParkedSequence failedAgain(ReplayAttempt attempt, HandlerTask task, ParkedSequence before) {
        DeadLetter letter = ReplayAttempt.letter(task);
        Optional<ParkedSequence> waiting = failures.waiting(task, before);
        ParkedSequence after = denyIfFull(attempt, waiting.orElseGet(() -> failures.failed(task, before)));
        DeadLetter updated = waiting.isPresent()
                ? letter.withCause(Cause.of(task.failure()), now)
                : counted(attempt, withVerdict(task, letter));
        after = after.withCauseOf(updated);
        if (!updated.equals(letter)) {
            replaced.add(updated);
        }
        if (attempt.requested()) { // otherwise, no action waits for the outcome of this attempt
            outcomes.add(stillParked(updated, waiting));
        }
        addChange(Kind.FAILED_AGAIN, after.id(), 1, attempt.involvesOperator(), updated);
        addPendingChange(before, after, updated);
        return after;
    }

    /** Counts the failure of a replay that an action requested. */
    private static DeadLetter counted(ReplayAttempt attempt, DeadLetter letter) {
        return attempt.action() == null ? letter : letter.replayFailed();
    }

    /**
     * Makes a sequence PENDING that has been HELD for too long.
     *
     * @return false if the queue is full
     */
    boolean makePending(SequenceId id) {
        ParkedSequence sequence = current(id);
        if (sequence == null) {
            return true;
        }
        if (overflow.isRestricting(id.component())) {
            return false;
        }
        ParkedSequence after = sequence.pending(sequence.attempts(), now);
        sequences.put(id, after);
        addPendingChange(sequence, after, null);
        return true;
    }

    /** Denies PENDING to a sequence while the queue is full, unless the sequence was PENDING before. */
    private ParkedSequence denyIfFull(ReplayAttempt attempt, ParkedSequence after) {
        boolean isPending =
                after.state() == SequenceState.PENDING && attempt.sequence().state() != SequenceState.PENDING;
        return isPending
                        && !FailedEvents.isAwaiting(after)
                        && overflow.isRestricting(after.id().component())
                ? overflow.deny(after, now)
                : after;
    }

    /** Returns the letter with the policy's verdict; the same instance if the policy leaves it unchanged. */
    private DeadLetter withVerdict(HandlerTask task, DeadLetter letter) {
        Verdict verdict = task.verdict(letter);
        Cause cause = verdict.cause();
        return cause == null
                ? letter
                : letter.failed(cause, context.replica(), now).withDiagnostics(verdict.diagnostics());
    }

    private void addPendingChange(ParkedSequence before, ParkedSequence after, @Nullable DeadLetter letter) {
        if (after.state() == SequenceState.PENDING && before.state() != SequenceState.PENDING) {
            addChange(change(Kind.PENDING, after.id(), after.size(), true, letter)
                    .withNewEntries(before.escalated() ? 0 : after.size()));
        }
    }

    private void addChange(Kind kind, SequenceId id, int letters, boolean entries, @Nullable DeadLetter letter) {
        addChange(change(kind, id, letters, entries, letter));
    }

    private void addChange(DeadLetterChange change) {
        changes.add(change);
    }

    private DeadLetterChange change(
            Kind kind, SequenceId id, int letters, boolean entries, @Nullable DeadLetter letter) {
        String queue = context.handlers().component(id.component()).queueName();
        return new DeadLetterChange(kind, queue, id, letters, entries, letter);
    }

    Optional<SequenceId> firstParked(String component) {
        return sequences.keySet().stream()
                .filter(id -> id.component().equals(component))
                .findFirst();
    }

    /** Returns the changes to report once the unit is durable. */
    List<DeadLetterChange> changes() {
        return changes;
    }

    /** Updates the cached sequences after the unit has become durable. */
    void committed() {
        sequences.values().forEach(parked::put);
        emptied.forEach(parked::remove);
    }
}

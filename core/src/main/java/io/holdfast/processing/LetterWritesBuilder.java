package io.holdfast.processing;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
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

/** The letters of a unit in the making, and what is to be told of them when it is durable. */
final class LetterWritesBuilder {

    /** What becomes of an event that has failed. */
    enum ParkResult {
        PARKED,
        /** The policy does not want it to be kept. */
        SKIPPED,
        /** There is no room, so nothing can be done about it now. */
        NO_ROOM
    }

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final SegmentOverflow overflow;
    private final Instant now;
    private final List<DeadLetter> added = new ArrayList<>();
    private final List<DeadLetter> replaced = new ArrayList<>();
    private final List<LetterId> removed = new ArrayList<>();
    private final Map<SequenceId, ParkedSequence> sequences = new LinkedHashMap<>();
    private final Set<SequenceId> emptied = new LinkedHashSet<>();
    private final List<DeadLetterChange> changes = new ArrayList<>();

    LetterWritesBuilder(ProcessorContext context, ParkedSequences parked, SegmentOverflow overflow) {
        this.context = context;
        this.parked = parked;
        this.overflow = overflow;
        this.now = context.now();
    }

    boolean isEmpty() {
        return sequences.isEmpty() && emptied.isEmpty();
    }

    /** A sequence as it will be; null if nothing of it will be parked. */
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
        return writes.withLimits(limits);
    }

    private QueueLimits limits(String component) {
        return context.component(component).orElseThrow().queue().effectiveLimits();
    }

    /** Parks an event that has failed, as the first of its sequence. */
    ParkResult park(HandlerTask task) {
        ParkedSequence fresh = ParkedSequence.start(task.sequence(), context.processor(), task.hash(), now);
        DeadLetter blank = DeadLetter.notAttempted(task.sequence(), fresh.first(), task.event(), now);
        boolean hasRoom = !overflow.isRestricting(task.component().id());
        Optional<ParkedSequence> held = held(task, fresh);
        if (held.isEmpty() && !task.verdict(blank).parked()) {
            addChange(Kind.SKIPPED, task.sequence(), 1, false, blank.withCause(Cause.of(task.failure()), now));
            return ParkResult.SKIPPED;
        }
        if (!hasRoom) {
            return ParkResult.NO_ROOM;
        }
        ParkedSequence after = held.orElseGet(() -> failed(task, fresh));
        DeadLetter letter =
                held.isPresent() ? blank.withCause(Cause.of(task.failure()), now) : withVerdict(task, blank);
        added.add(letter);
        emptied.remove(task.sequence());
        sequences.put(task.sequence(), after);
        addChange(Kind.PARKED, after.id(), 1, false, letter);
        addPendingChange(fresh, after, letter);
        return ParkResult.PARKED;
    }

    /** @return false if there is no room for it */
    boolean parkBehind(HandlerTask task, ParkedSequence sequence) {
        if (overflow.isRestricting(task.component().id())) {
            return false;
        }
        ParkedSequence grown = sequence.grown();
        added.add(DeadLetter.notAttempted(task.sequence(), grown.last(), task.event(), now));
        sequences.put(grown.id(), grown);
        addChange(Kind.PARKED_BEHIND, grown.id(), 1, grown.state() == SequenceState.PENDING, null);
        return true;
    }

    /** Takes what came of a drain. */
    void add(ReplayAttempt drain, ParkedSequence sequence) {
        List<HandlerTask> handled = drain.tasks().subList(0, drain.handled());
        handled.forEach(task -> removed.add(ReplayAttempt.letter(task).id()));
        if (!handled.isEmpty()) {
            List<UUID> left = handled.stream().map(task -> task.event().id()).toList();
            addChange(Kind.REPLAYED, sequence.id(), handled.size(), drain.involvesOperator(), null, left);
        }
        ParkedSequence rest = handled.isEmpty()
                ? drain.advancedToFirstLetter(sequence)
                : drain.shortened(sequence, handled.size(), now);
        HandlerTask failed = drain.failed();
        if (failed == null) {
            putOrRemove(rest);
        } else if (staysParked(failed, rest)) {
            putOrRemove(failedAgain(drain, failed, rest));
        } else {
            DeadLetter evicted = ReplayAttempt.letter(failed);
            removed.add(evicted.id());
            addChange(
                    Kind.EVICTED,
                    sequence.id(),
                    1,
                    true,
                    evicted,
                    List.of(evicted.message().id()));
            putOrRemove(drain.shortened(sequence, handled.size() + 1, now));
        }
    }

    private void putOrRemove(ParkedSequence rest) {
        if (rest.size() == 0) {
            emptied.add(rest.id());
            sequences.remove(rest.id());
        } else {
            sequences.put(rest.id(), rest);
        }
    }

    /** Only the policy takes a letter out; the breaker's matters are none of its business. */
    private boolean staysParked(HandlerTask failed, ParkedSequence before) {
        return held(failed, before).isPresent()
                || failed.verdict(ReplayAttempt.letter(failed)).parked();
    }

    private ParkedSequence failedAgain(ReplayAttempt drain, HandlerTask task, ParkedSequence before) {
        DeadLetter letter = ReplayAttempt.letter(task);
        Optional<ParkedSequence> held = held(task, before);
        ParkedSequence after = denyIfFull(drain, held.orElseGet(() -> failed(task, before)));
        DeadLetter kept =
                held.isPresent() ? letter.withCause(Cause.of(task.failure()), now) : withVerdict(task, letter);
        if (!kept.equals(letter)) {
            replaced.add(kept);
        }
        addChange(Kind.FAILED_AGAIN, after.id(), 1, drain.involvesOperator(), kept);
        addPendingChange(before, after, kept);
        return after;
    }

    /** A sequence has waited for its breaker for too long. */
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

    private Optional<ParkedSequence> held(HandlerTask task, ParkedSequence before) {
        return context.policy().held(task.failure(), task.component().component(), before);
    }

    private ParkedSequence failed(HandlerTask task, ParkedSequence before) {
        return context.policy().failed(task.failure(), task.component().component(), before);
    }

    /** What waited for a person before has its place. */
    private ParkedSequence denyIfFull(ReplayAttempt drain, ParkedSequence after) {
        boolean isPending =
                after.state() == SequenceState.PENDING && drain.sequence().state() != SequenceState.PENDING;
        return isPending && overflow.isRestricting(after.id().component()) ? overflow.deny(after, now) : after;
    }

    /** The letter as the policy wants it; the very same if it wants it to be as it was. */
    private DeadLetter withVerdict(HandlerTask task, DeadLetter letter) {
        Verdict verdict = task.verdict(letter);
        Cause cause = verdict.cause();
        return cause == null
                ? letter
                : letter.failed(cause, context.replica(), now).withDiagnostics(verdict.diagnostics());
    }

    private void addPendingChange(ParkedSequence before, ParkedSequence after, @Nullable DeadLetter letter) {
        if (after.state() == SequenceState.PENDING && before.state() != SequenceState.PENDING) {
            addChange(Kind.PENDING, after.id(), after.size(), true, letter);
        }
    }

    private void addChange(Kind kind, SequenceId id, int letters, boolean entries, @Nullable DeadLetter letter) {
        addChange(kind, id, letters, entries, letter, List.of());
    }

    private void addChange(
            Kind kind, SequenceId id, int letters, boolean entries, @Nullable DeadLetter letter, List<UUID> left) {
        String queue = context.component(id.component()).orElseThrow().queueName();
        changes.add(new DeadLetterChange(kind, queue, id, letters, entries, letter, left));
    }

    Optional<SequenceId> firstParked(String component) {
        return sequences.keySet().stream()
                .filter(id -> id.component().equals(component))
                .findFirst();
    }

    /** What is to be told when it is durable. */
    List<DeadLetterChange> changes() {
        return changes;
    }

    /** It is durable. */
    void committed() {
        sequences.values().forEach(parked::put);
        emptied.forEach(parked::remove);
    }
}

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
final class ParkingDraft {

    /** What becomes of an event that has failed. */
    enum Fate {
        PARKED,
        /** The policy does not want it to be kept. */
        SKIPPED,
        /** There is no room, so nothing can be done about it now. */
        LEFT_OUT
    }

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final SegmentOverflow overflow;
    private final Instant now;
    private final List<DeadLetter> added = new ArrayList<>();
    private final List<DeadLetter> replaced = new ArrayList<>();
    private final List<LetterId> removed = new ArrayList<>();
    private final Map<SequenceId, ParkedSequence> sequences = new LinkedHashMap<>();
    private final Set<SequenceId> ended = new LinkedHashSet<>();
    private final List<DeadLetterChange> changes = new ArrayList<>();

    ParkingDraft(ProcessorContext context, ParkedSequences parked, SegmentOverflow overflow) {
        this.context = context;
        this.parked = parked;
        this.overflow = overflow;
        this.now = context.now();
    }

    boolean isEmpty() {
        return sequences.isEmpty() && ended.isEmpty();
    }

    /** A sequence as it will be; null if nothing of it will be parked. */
    @Nullable
    ParkedSequence current(SequenceId id) {
        ParkedSequence changed = sequences.get(id);
        return changed != null || ended.contains(id) ? changed : parked.find(id);
    }

    LetterWrites writes() {
        LetterWrites writes =
                new LetterWrites(added, replaced, removed, List.copyOf(sequences.values()), List.copyOf(ended));
        Map<String, QueueLimits> limits = new HashMap<>();
        writes.touched().forEach(id -> limits.computeIfAbsent(id.component(), this::limits));
        return writes.within(limits);
    }

    private QueueLimits limits(String component) {
        return context.component(component).orElseThrow().queue().effectiveLimits();
    }

    /** Parks an event that has failed, as the first of its sequence. */
    Fate park(HandlerTask task) {
        ParkedSequence fresh = ParkedSequence.start(task.sequence(), context.processor(), task.hash(), now);
        DeadLetter blank = DeadLetter.behind(task.sequence(), fresh.first(), task.event(), now);
        boolean hasRoom = !overflow.isRestricting(task.component().id());
        Optional<ParkedSequence> held = held(task, fresh);
        if (held.isEmpty() && !task.verdict(blank).kept()) {
            tell(Kind.SKIPPED, task.sequence(), 1, false, blank.held(Cause.of(task.failure()), now));
            return Fate.SKIPPED;
        }
        if (!hasRoom) {
            return Fate.LEFT_OUT;
        }
        ParkedSequence after = held.orElseGet(() -> failed(task, fresh));
        DeadLetter letter = held.isPresent() ? blank.held(Cause.of(task.failure()), now) : judged(task, blank);
        added.add(letter);
        ended.remove(task.sequence());
        sequences.put(task.sequence(), after);
        tell(Kind.PARKED, after.id(), 1, false, letter);
        tellPending(fresh, after, letter);
        return Fate.PARKED;
    }

    /** @return false if there is no room for it */
    boolean parkBehind(HandlerTask task, ParkedSequence sequence) {
        if (overflow.isRestricting(task.component().id())) {
            return false;
        }
        ParkedSequence grown = sequence.grown();
        added.add(DeadLetter.behind(task.sequence(), grown.last(), task.event(), now));
        sequences.put(grown.id(), grown);
        tell(Kind.PARKED_BEHIND, grown.id(), 1, grown.state() == SequenceState.PENDING, null);
        return true;
    }

    /** Takes what came of a drain. */
    void add(ReplayAttempt drain, ParkedSequence sequence) {
        List<HandlerTask> handled = drain.tasks().subList(0, drain.handled());
        handled.forEach(task -> removed.add(ReplayAttempt.letter(task).id()));
        if (!handled.isEmpty()) {
            List<UUID> left = handled.stream().map(task -> task.event().id()).toList();
            tell(Kind.REPLAYED, sequence.id(), handled.size(), drain.involvesOperator(), null, left);
        }
        ParkedSequence rest = handled.isEmpty()
                ? drain.advancedToFirstLetter(sequence)
                : drain.shortened(sequence, handled.size(), now);
        HandlerTask failed = drain.failed();
        if (failed == null) {
            leave(rest);
        } else if (isKept(failed, rest)) {
            leave(failedAgain(drain, failed, rest));
        } else {
            DeadLetter evicted = ReplayAttempt.letter(failed);
            removed.add(evicted.id());
            tell(
                    Kind.EVICTED,
                    sequence.id(),
                    1,
                    true,
                    evicted,
                    List.of(evicted.message().id()));
            leave(drain.shortened(sequence, handled.size() + 1, now));
        }
    }

    private void leave(ParkedSequence rest) {
        if (rest.size() == 0) {
            ended.add(rest.id());
            sequences.remove(rest.id());
        } else {
            sequences.put(rest.id(), rest);
        }
    }

    /** Only the policy takes a letter out; the breaker's matters are none of its business. */
    private boolean isKept(HandlerTask failed, ParkedSequence before) {
        return held(failed, before).isPresent()
                || failed.verdict(ReplayAttempt.letter(failed)).kept();
    }

    private ParkedSequence failedAgain(ReplayAttempt drain, HandlerTask task, ParkedSequence before) {
        DeadLetter letter = ReplayAttempt.letter(task);
        Optional<ParkedSequence> held = held(task, before);
        ParkedSequence after = room(drain, held.orElseGet(() -> failed(task, before)));
        DeadLetter kept = held.isPresent() ? letter.held(Cause.of(task.failure()), now) : judged(task, letter);
        if (!kept.equals(letter)) {
            replaced.add(kept);
        }
        tell(Kind.FAILED_AGAIN, after.id(), 1, drain.involvesOperator(), kept);
        tellPending(before, after, kept);
        return after;
    }

    /** A sequence has waited for its breaker for too long. */
    boolean leaveToAPerson(SequenceId id) {
        ParkedSequence sequence = current(id);
        if (sequence == null) {
            return true;
        }
        if (overflow.isRestricting(id.component())) {
            return false;
        }
        ParkedSequence after = sequence.pending(sequence.attempts(), now);
        sequences.put(id, after);
        tellPending(sequence, after, null);
        return true;
    }

    private Optional<ParkedSequence> held(HandlerTask task, ParkedSequence before) {
        return context.policy().held(task.failure(), task.component().component(), before);
    }

    private ParkedSequence failed(HandlerTask task, ParkedSequence before) {
        return context.policy().failed(task.failure(), task.component().component(), before);
    }

    /** What waited for a person before has its place. */
    private ParkedSequence room(ReplayAttempt drain, ParkedSequence after) {
        boolean isPending =
                after.state() == SequenceState.PENDING && drain.sequence().state() != SequenceState.PENDING;
        return isPending && overflow.isRestricting(after.id().component()) ? overflow.deny(after, now) : after;
    }

    /** The letter as the policy wants it; the very same if it wants it to be as it was. */
    private DeadLetter judged(HandlerTask task, DeadLetter letter) {
        Verdict verdict = task.verdict(letter);
        Cause cause = verdict.cause();
        return cause == null
                ? letter
                : letter.failed(cause, context.replica(), now).withDiagnostics(verdict.diagnostics());
    }

    private void tellPending(ParkedSequence before, ParkedSequence after, @Nullable DeadLetter letter) {
        if (after.state() == SequenceState.PENDING && before.state() != SequenceState.PENDING) {
            tell(Kind.PENDING, after.id(), after.size(), true, letter);
        }
    }

    private void tell(Kind kind, SequenceId id, int letters, boolean entries, @Nullable DeadLetter letter) {
        tell(kind, id, letters, entries, letter, List.of());
    }

    private void tell(
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
        ended.forEach(parked::remove);
    }
}

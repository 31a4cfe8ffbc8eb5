package io.holdfast.commit;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.event.EventMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Carries a batch of units to an end: durable together, or each with its own reason why not.
 *
 * <p>The first try decides without holding anything and checks under the head that nothing has moved. Whatever goes wrong,
 * the next try decides while holding the head, where nothing can move, and looks up first what may have been committed.
 * A unit that the store refuses is answered and taken out; decisions are pure, so deciding the rest again is free.
 * For one thread.
 */
final class BatchCommit {

    /** More than one conflict, one lost answer and one refusal after another is a store that does not work. */
    private static final int MAX_FAILURES = 3;

    private final Supplier<CommitSession> sessions;
    private final BatchDecider decider;
    private final AggregateStates states;
    private final CommitterCounters counters;
    private final Consumer<Set<String>> appended;

    /** @param appended is told, after every commit, the streams to which events were committed, or may have been; maybe none */
    BatchCommit(
            Supplier<CommitSession> sessions,
            BatchDecider decider,
            AggregateStates states,
            CommitterCounters counters,
            Consumer<Set<String>> appended) {
        this.appended = appended;
        this.sessions = sessions;
        this.decider = decider;
        this.states = states;
        this.counters = counters;
    }

    void commit(List<PendingUnit> batch) {
        commitWithRetries(batch, Mode.OPTIMISTIC, null);
    }

    /** In a transaction that is open already, and can be tried only once: nothing may move between deciding and writing. */
    void commitUnderLock(PendingUnit unit) {
        commitWithRetries(List.of(unit), Mode.UNDER_LOCK, null);
    }

    /** @param lost an answer that was lost: as long as nothing better is known, it is what callers are told */
    private void commitWithRetries(List<PendingUnit> batch, Mode firstMode, @Nullable OutcomeUnknownException lost) {
        OutcomeUnknownException unknown = lost;
        List<PendingUnit> open = batch;
        Mode mode = firstMode;
        for (int failures = 0; !open.isEmpty(); mode = Mode.UNDER_LOCK) {
            try {
                List<PendingUnit> left = attempt(open, mode);
                if (left.size() == open.size() && mode == Mode.UNDER_LOCK && ++failures > MAX_FAILURES) {
                    throw new PermanentException("the store finds a conflict where nothing can have moved");
                }
                open = left;
            } catch (RetryableException e) {
                unknown = e instanceof OutcomeUnknownException answerLost ? answerLost : unknown;
                if (++failures > MAX_FAILURES) {
                    fail(open, unknown == null ? e : unknown);
                    return;
                }
                open = repeatable(incomplete(open));
            } catch (RuntimeException e) {
                isolate(repeatable(open), e, unknown);
                return;
            }
        }
    }

    /** @return the units that are not answered and need another try */
    private List<PendingUnit> attempt(List<PendingUnit> batch, Mode mode) {
        List<CommitUnit> units = batch.stream().map(PendingUnit::unit).toList();
        DecidedBatch early = mode == Mode.OPTIMISTIC ? decider.decide(units, false) : null;
        DecidedBatch decided;
        Map<UUID, EventMessage> events = Map.of();
        long begun = System.nanoTime();
        try (CommitSession session = sessions.get()) {
            session.lockHead();
            if (early != null && isStale(early, session)) {
                return conflicted(early, batch);
            }
            decided = early != null ? early : decider.decide(units, true);
            if (!decided.writesNothing()) {
                List<Rejection> rejections = session.write(decided.writes());
                if (!rejections.isEmpty()) {
                    return conflicted(decided, failRejected(batch, rejections));
                }
                events = commit(session, batch, decided, begun);
            }
        }
        states.cache(decided.states());
        complete(batch, decided, events);
        return List.of();
    }

    /**
     * A kept state may be behind another process, whoever committed last: that it is of this process's own last commit says
     * nothing about the other keys.
     */
    private static boolean isStale(DecidedBatch decided, CommitSession session) {
        ReadVersions onlyRead = decided.onlyRead();
        return !onlyRead.isEmpty() && session.isStale(onlyRead);
    }

    private List<PendingUnit> conflicted(DecidedBatch decided, List<PendingUnit> again) {
        counters.conflicted();
        states.invalidate(decided.reads().keys().keySet());
        return again;
    }

    private Map<UUID, EventMessage> commit(
            CommitSession session, List<PendingUnit> batch, DecidedBatch decided, long begun) {
        CommitResult result;
        try {
            result = session.commit();
        } catch (OutcomeUnknownException e) {
            failNonDeduplicable(batch, decided, e);
            throw e;
        } finally {
            appended.accept(decided.streams()); // also if the answer was lost
        }
        counters.committed(result.events().size(), System.nanoTime() - begun);
        return result.events().stream().collect(Collectors.toMap(EventMessage::id, event -> event));
    }

    /** What leaves neither an event id nor a token behind cannot be looked up; a second try could double it. */
    private static void failNonDeduplicable(List<PendingUnit> batch, DecidedBatch decided, OutcomeUnknownException e) {
        for (int i = 0; i < batch.size(); i++) {
            if (!decided.units().get(i).isDeduplicable()) {
                batch.get(i).outcome().completeExceptionally(e);
            }
        }
    }

    private static List<PendingUnit> incomplete(List<PendingUnit> batch) {
        return batch.stream().filter(pending -> !pending.outcome().isDone()).toList();
    }

    private void complete(List<PendingUnit> batch, DecidedBatch decided, Map<UUID, EventMessage> events) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).outcome().complete(decided.units().get(i).outcome(events));
        }
    }

    /** Answers what can never be written; the others are decided again. */
    private static List<PendingUnit> failRejected(List<PendingUnit> batch, List<Rejection> rejections) {
        Set<Integer> rejected = new HashSet<>();
        for (Rejection rejection : rejections) {
            if (rejection.kind() == Rejection.Kind.REJECTED) {
                rejected.add(rejection.unit());
                batch.get(rejection.unit()).outcome().completeExceptionally(rejection.cause());
            }
        }
        boolean duplicates = rejections.stream().anyMatch(rejection -> rejection.kind() == Rejection.Kind.DUPLICATE);
        List<PendingUnit> rest = IntStream.range(0, batch.size())
                .filter(unit -> !rejected.contains(unit))
                .mapToObj(batch::get)
                .toList();
        return duplicates ? repeatable(rest) : rest;
    }

    /** The store cannot write the batch and cannot say why: the half that is not at fault goes through. */
    private void isolate(List<PendingUnit> batch, RuntimeException cause, @Nullable OutcomeUnknownException lost) {
        if (batch.size() == 1) {
            fail(batch, lost == null ? cause : lost);
            return;
        }
        int half = batch.size() / 2;
        commitWithRetries(batch.subList(0, half), Mode.UNDER_LOCK, lost);
        commitWithRetries(batch.subList(half, batch.size()), Mode.UNDER_LOCK, lost);
    }

    private static void fail(List<PendingUnit> batch, RuntimeException cause) {
        RuntimeException reason = cause instanceof RetryableException || cause instanceof PermanentException
                ? cause
                : new PermanentException("the store refused a unit: " + cause, cause);
        batch.forEach(pending -> pending.outcome().completeExceptionally(reason));
    }

    private static List<PendingUnit> repeatable(List<PendingUnit> batch) {
        return batch.stream().map(PendingUnit::asRepeatable).toList();
    }

    private enum Mode {
        /** Decide first, then check under the head. */
        OPTIMISTIC,
        /** Take the head, then decide. */
        UNDER_LOCK
    }
}

package io.holdfast.commit.group;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Rejection;
import io.holdfast.event.EventMessage;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.TailLostException;
import io.holdfast.failover.Witnessed;
import io.holdfast.failover.witness.TailRecovery;
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
 * Commits a batch of units in one transaction. A unit that cannot be committed fails with its own cause.
 *
 * <p>An attempt uses optimistic concurrency: it decides without locks and then checks, under the head lock, that
 * nothing it has read has changed. What depends on a change is decided again there, where nothing can change any more;
 * all other decisions stay. A unit that the store rejects fails and leaves the batch. Decisions are pure, so the next
 * attempt can decide the rest again without side effects. It first looks up what an earlier attempt may have committed.
 *
 * <p>Not thread-safe.
 */
final class BatchCommit {

    /** Allows for one lost response, one duplicate and one rejection. A store that fails more often does not work. */
    private static final int MAX_FAILURES = 3;

    private final Supplier<CommitSession> sessions;
    private final BatchDecider decider;
    private final CommitterCounters counters;
    private final TailRecovery tail;
    private final RowListeners rowListeners;
    private final Consumer<Set<String>> appended;

    /**
     * @param appended notified after every commit of the streams to which events were, or may have been, committed;
     *     the set may be empty
     */
    BatchCommit(
            Supplier<CommitSession> sessions,
            BatchDecider decider,
            CommitterCounters counters,
            TailRecovery tail,
            RowListeners rowListeners,
            Consumer<Set<String>> appended) {
        this.rowListeners = rowListeners;
        this.appended = appended;
        this.sessions = sessions;
        this.decider = decider;
        this.counters = counters;
        this.tail = tail;
    }

    void commit(List<PendingUnit> batch) {
        commitWithRetries(batch, null);
    }

    /** @param lost the lost response of an earlier attempt. Callers get it if no attempt determines the outcome. */
    private void commitWithRetries(List<PendingUnit> batch, @Nullable OutcomeUnknownException lost) {
        OutcomeUnknownException unknown = lost;
        List<PendingUnit> open = batch;
        for (int failures = 0; !open.isEmpty(); ) {
            try {
                List<PendingUnit> left = attempt(open);
                if (left.size() == open.size() && ++failures > MAX_FAILURES) {
                    throw new PermanentException(
                            "the store reports conflicts under the head lock, where no other commit is possible");
                }
                open = left;
            } catch (RetryableException e) {
                recoverFrom(e);
                unknown = e instanceof OutcomeUnknownException responseLost ? responseLost : unknown;
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

    private void recoverFrom(RetryableException failure) {
        if (failure instanceof TailLostException) {
            try {
                tail.recover();
            } catch (RetryableException e) {
                failure.addSuppressed(e); // the next attempt finds the same loss
            }
        }
    }

    /** @return the units that are not completed and need another attempt */
    private List<PendingUnit> attempt(List<PendingUnit> batch) {
        List<CommitUnit> units = batch.stream().map(PendingUnit::unit).toList();
        DecidedBatch decided;
        Map<UUID, EventMessage> events = Map.of();
        try (CommitSession session = sessions.get()) {
            DecidedBatch early = decider.decide(units, session);
            long startNanos = System.nanoTime();
            Witnessed witnessed = tail.witness().witnessed();
            HeadReading head = session.lockHead(witnessed);
            tail.witness().check(witnessed, head);
            decided = decider.update(early, units, findChanged(early, session), session);
            if (!decided.writesNothing()) {
                List<Rejection> rejections = session.write(decided.writes());
                if (!rejections.isEmpty()) {
                    return failRejected(batch, decided, rejections);
                }
                events = commit(session, batch, decided, startNanos, head.commits() + 1);
            }
        }
        decider.committed(decided);
        rowListeners.notifyOf(decided.rowChanges());
        complete(batch, decided, events);
        return List.of();
    }

    /**
     * Checks everything that the decisions have read. Even if this process made the last commit, its cached states of
     * other keys may be behind another replica's commits.
     */
    private ReadVersions findChanged(DecidedBatch decided, CommitSession session) {
        ReadVersions reads = decided.reads();
        ReadVersions changed = reads.isEmpty() ? reads : session.findChanged(reads);
        if (!changed.isEmpty()) {
            counters.conflicted();
            decider.invalidate(changed);
        }
        return changed;
    }

    private Map<UUID, EventMessage> commit(
            CommitSession session, List<PendingUnit> batch, DecidedBatch decided, long startNanos, long number) {
        List<EventMessage> events;
        try {
            events = session.commit();
        } catch (OutcomeUnknownException e) {
            failNonDeduplicable(batch, decided, e);
            throw e;
        } finally {
            appended.accept(decided.streams()); // also if the response was lost
        }
        tail.witness().committed(events, number);
        counters.committed(events.size(), System.nanoTime() - startNanos);
        return events.stream().collect(Collectors.toMap(EventMessage::id, event -> event));
    }

    /**
     * Fails the units that leave neither an event id nor a token. They cannot be looked up, so a second attempt could
     * apply them twice.
     */
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

    /** Fails the units that can never be written and returns the others, which are decided again. */
    private List<PendingUnit> failRejected(List<PendingUnit> batch, DecidedBatch decided, List<Rejection> rejections) {
        Set<Integer> rejected = new HashSet<>();
        for (Rejection rejection : rejections) {
            if (rejection.kind() == Rejection.Kind.REJECTED) {
                rejected.add(rejection.unit());
                batch.get(rejection.unit()).outcome().completeExceptionally(rejection.cause());
            } else if (rejection.kind() == Rejection.Kind.CONFLICT) {
                counters.conflicted();
                decider.invalidate(decided.reads());
            }
        }
        boolean duplicates = rejections.stream().anyMatch(rejection -> rejection.kind() == Rejection.Kind.DUPLICATE);
        List<PendingUnit> rest = IntStream.range(0, batch.size())
                .filter(unit -> !rejected.contains(unit))
                .mapToObj(batch::get)
                .toList();
        return duplicates ? repeatable(rest) : rest;
    }

    /**
     * Splits the batch, because the store cannot write it and cannot name the unit at fault. The half without it
     * commits.
     */
    private void isolate(List<PendingUnit> batch, RuntimeException cause, @Nullable OutcomeUnknownException lost) {
        if (batch.size() == 1) {
            fail(batch, lost == null ? cause : lost);
            return;
        }
        int half = batch.size() / 2;
        commitWithRetries(batch.subList(0, half), lost);
        commitWithRetries(batch.subList(half, batch.size()), lost);
    }

    private static void fail(List<PendingUnit> batch, RuntimeException cause) {
        RuntimeException reason = cause instanceof RetryableException || cause instanceof PermanentException
                ? cause
                : new PermanentException("the store rejected a unit: " + cause, cause);
        batch.forEach(pending -> pending.outcome().completeExceptionally(reason));
    }

    private static List<PendingUnit> repeatable(List<PendingUnit> batch) {
        return batch.stream().map(PendingUnit::asRepeatable).toList();
    }
}

package io.holdfast.processing.segment;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.event.StreamPosition;
import io.holdfast.parking.ParkedSequences;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds and commits the units of a segment, one at a time: effects of handled events, letters of failed ones, and the
 * position. If a unit is rejected, the next one is built without what caused the rejection. Not thread-safe; used by
 * one thread at a time.
 */
final class SegmentCommits {

    /** If a segment only skipped events, its position is saved at most every 5 s or 5,000 events. */
    private static final Duration POSITION_SAVE_INTERVAL = Duration.ofSeconds(5);

    private static final int POSITION_SAVE_EVENTS = 5_000;

    private final ProcessorContext context;
    private final TokenClaim claim;
    private final SegmentBacklog backlog;
    private final SegmentReplayAttempts replayAttempts;
    private final SegmentRepairs repairs;
    private final ParkedSequences parked;
    private final SegmentOverflow overflow;
    private final ProcessingBackoff backoff;
    private final LostTransactions lostTransactions;

    private Token token;
    private @Nullable UnitBuilder builder;
    private @Nullable CommitUnit unit;
    private volatile long nextVersion;
    private volatile @Nullable CompletableFuture<UnitOutcome> committing;
    private MonotonicTime savePositionAt;
    private int maxSize = Integer.MAX_VALUE;
    private boolean resubmit;
    private @Nullable TransactionLoss loss;
    private boolean parksFirst;

    SegmentCommits(
            ProcessorContext context,
            TokenClaim claim,
            Token token,
            SegmentBacklog backlog,
            SegmentReplayAttempts replayAttempts,
            SegmentRepairs repairs,
            ParkedSequences parked,
            SegmentOverflow overflow,
            ProcessingBackoff backoff,
            LostTransactions lostTransactions) {
        this.context = context;
        this.claim = claim;
        this.token = token;
        this.nextVersion = token.version();
        this.backlog = backlog;
        this.replayAttempts = replayAttempts;
        this.repairs = repairs;
        this.parked = parked;
        this.overflow = overflow;
        this.backoff = backoff;
        this.lostTransactions = lostTransactions;
        this.savePositionAt = context.time().plus(POSITION_SAVE_INTERVAL);
    }

    Token token() {
        return token;
    }

    /** Adds a stream that the segment has not read before. */
    void addStream(String stream, StreamPosition start) {
        if (!token.positions().containsKey(stream)) {
            token = token.with(stream, start);
            backlog.addStream(stream, start);
        }
    }

    boolean isCommitting() {
        return committing != null || resubmit;
    }

    /** Returns whether an event is to be parked before handlers are called again, in a unit without rows. */
    boolean parksFirst() {
        return parksFirst;
    }

    /** Submits what is ready to the committer, unless a unit is being committed. */
    void submit(boolean storePosition) {
        if (committing != null) {
            return;
        }
        parksFirst = false;
        CommitUnit toSubmit = unit;
        if (!resubmit || toSubmit == null) {
            UnitBuilder next = newBuilder();
            repairs.addTo(next, token, maxSize); // reads letters, so not in a transaction of handlers
            collect(next, maxSize);
            if (next.isEmpty() && !isPositionDue(storePosition)) {
                return;
            }
            toSubmit = build(next);
        }
        resubmit = false;
        CompletableFuture<UnitOutcome> submission = context.stores().committer().submit(toSubmit);
        committing = submission;
        var unused =
                submission.whenComplete((outcome, failure) -> context.wake().run());
    }

    /**
     * Forgets the previous unit before handlers write application rows: until the next one is built, a failure cannot
     * be attributed to any event.
     */
    void prepareTransaction() {
        builder = null;
    }

    /** Commits what is ready in the transaction in which handlers have written application rows, on their thread. */
    void commitIn(UnitTransaction rows) {
        UnitBuilder collected = newBuilder();
        collect(collected, Integer.MAX_VALUE); // without a limit: the transaction has the rows of all
        CommitUnit next = build(collected);
        committing =
                CompletableFuture.completedFuture(context.stores().committer().commitIn(rows, next));
    }

    /** Records that the transaction failed. */
    void failed(Throwable failure) {
        committing = CompletableFuture.failedFuture(failure);
    }

    /** Records that the transaction was lost. */
    void lost(TransactionLoss lost) {
        loss = lost;
        failed(lost.cause());
    }

    private CommitUnit build(UnitBuilder next) {
        CommitUnit built = next.build(advance(next));
        CommitUnit formed = token.setup().generation() > 1 ? built.asAfterReset() : built;
        builder = next;
        unit = formed;
        return formed;
    }

    /** Returns how many more events can be handled so that all settled ones fit into one unit. */
    int room() {
        long settled =
                backlog.openTasks().stream().filter(HandlerTask::isSettled).count();
        return (int) Math.max(0, maxSize - settled);
    }

    private UnitBuilder newBuilder() {
        return new UnitBuilder(new LetterWritesBuilder(context, parked, overflow));
    }

    private void collect(UnitBuilder next, int limit) {
        replayAttempts.addTo(next, limit);
        for (HandlerTask task : backlog.openTasks()) {
            if (!task.isSettled()) {
                next.leaveOut(task);
            } else if (next.size() < limit) {
                next.add(task);
            }
        }
        parked.heldTooLong(context.parking().policy().maxHold())
                .filter(sequence -> !context.handlers().recovers(sequence)) // otherwise it is attempted
                .limit(Math.min(context.settings().batch(), Math.max(0, limit - next.size())))
                .toList()
                .forEach(sequence -> next.makePending(sequence.id()));
        overflow.unitFormed(next.leavesOutHeld());
    }

    private TokenAdvance advance(UnitBuilder next) {
        Map<String, StreamPosition> positions = backlog.positions(next.tasks());
        positions.entrySet().removeIf(entry -> entry.getValue()
                .equals(token.positions().get(entry.getKey())));
        TokenAdvance advance = token.advance(claim, positions, backlog.marks(next.tasks()));
        nextVersion = advance.toVersion(); // before the commit, which another thread may perform
        return advance;
    }

    private boolean isPositionDue(boolean now) {
        boolean isDue = now
                || backlog.skipped() >= POSITION_SAVE_EVENTS
                || !context.time().isBefore(savePositionAt);
        return isDue && !backlog.positions(Set.of()).equals(token.positions());
    }

    /**
     * Applies the committer's result, if there is one.
     *
     * @return false if the segment is lost: another replica may own it, or the unit may have been committed. The stored
     *     token is authoritative
     */
    boolean applyOutcome() {
        CompletableFuture<UnitOutcome> submission = committing;
        if (submission == null || !submission.isDone()) {
            return true;
        }
        committing = null;
        try {
            apply(submission.join());
            return true;
        } catch (CompletionException e) {
            return apply(e.getCause() == null ? e : e.getCause());
        }
    }

    private void apply(UnitOutcome outcome) {
        UnitBuilder submitted = Objects.requireNonNull(builder);
        if (outcome instanceof UnitOutcome.PartsFailed partsFailed) {
            submitted.failParts(partsFailed.failures());
            restartRolledBack(submitted);
        } else if (outcome instanceof UnitOutcome.Committed committed) {
            committed(submitted, committed.letters());
        }
    }

    private void committed(UnitBuilder done, List<LetterOutcome> letters) {
        token = token.advanced(Objects.requireNonNull(unit).tokenAdvance().orElseThrow());
        int handled = done.handledEvents();
        done.handled().forEach(lostTransactions::committed);
        done.committed();
        done.reportAttempts(context);
        Map<PartId, LetterOutcome> outcomes = letters.stream()
                .collect(Collectors.toMap(letter -> new PartId(letter.event(), letter.component()), letter -> letter));
        done.replayAttempts().forEach(attempt -> replayAttempts.committed(attempt, outcomes));
        repairs.committed(done.repairs());
        context.parking().notifier().report(handled, done.changes(), parked::findCached);
        backlog.stored(token.positions());
        overflow.unitCommitted();
        overflow.clearIfRoom(parked, backlog);
        savePositionAt = context.time().plus(POSITION_SAVE_INTERVAL);
        maxSize = Integer.MAX_VALUE;
        backoff.clearIfCommitted(token.positions());
    }

    private boolean apply(Throwable failure) {
        TransactionLoss lost = loss;
        if (lost != null) {
            apply(lost);
            return true;
        }
        if (failure instanceof CommitterBusyException && !context.handlers().writesApplicationRows()) {
            resubmit = true; // nothing was written: submit the same unit later
            backoff.backOff(failure, null);
            return true;
        }
        UnitBuilder submitted = builder;
        if (failure instanceof StaleTokenException || failure instanceof RetryableException || submitted == null) {
            backoff.backOff(failure, null);
            return false;
        }
        if (failure instanceof DeadLetterQueueOverflowException full
                && (submitted.size() < 2 || overflow.isOtherQueueFull(full.component()))) {
            overflow.recordOverflow(full, submitted.firstEvent());
            submitted.firstParked(full.component()).ifPresent(context::notifyOverflow);
            // events without room are left out; a limit could keep out replays, which make room
            maxSize = Integer.MAX_VALUE;
        } else if (submitted.size() > 1) {
            // one of them cannot be written or has no room; the others must not wait for it
            maxSize = submitted.size() / 2;
        } else if (replayAttempts.halve(submitted.replayAttempts())) {
            return true; // one of its letters cannot be written; those before it still can
        } else if (submitted.settleAlreadyParked(this::isParked)) {
            maxSize = Integer.MAX_VALUE;
        } else if (!submitted.failFirstHandled(failure)) {
            releaseCalls(); // the segment is blocked, and a half-open breaker must not wait for it
            backoff.backOff(failure, submitted.firstEvent());
        }
        restartRolledBack(submitted);
        return true;
    }

    private void apply(TransactionLoss lost) {
        loss = null;
        lost.rollBack(backlog, replayAttempts);
        parksFirst = lost.atFault() != null;
        if (!parksFirst) {
            backoff.backOff(lost.cause(), null);
        }
    }

    /** Ends the breakers' wait for the events that are ready to be committed. */
    private void releaseCalls() {
        Stream.concat(backlog.openTasks().stream(), replayAttempts.tasks().stream())
                .filter(HandlerTask::isSettled)
                .forEach(task -> task.guarded().release());
    }

    /** The event may have been parked by application code before the segment read it. */
    private boolean isParked(HandlerTask task) {
        Optional<DeadLetter> letter = context.stores()
                .letters()
                .findLetter(task.component().id(), task.event().id());
        requireUnchanged();
        return letter.isPresent();
    }

    /**
     * Call it after a read, before anything depends on what was read. While the read waited, another owner may have
     * changed the letters. If a failover loses its commits later, this version is stored again, and no check of a unit
     * notices.
     *
     * @throws StaleTokenException if the stored token was changed by anything except these commits
     */
    void requireUnchanged() {
        Optional<Token> stored = context.stores().tokens().find(claim.segment());
        if (stored.filter(found -> !isStale(found.version())).isEmpty()) {
            String found =
                    stored.map(other -> "it is at version " + other.version()).orElse("it does not exist");
            throw new StaleTokenException(claim.segment(), token.version(), found);
        }
    }

    /**
     * Returns whether the stored token was moved by anything except these commits, also if it was moved back: a failover
     * may have lost them.
     */
    boolean isStale(long version) {
        return version != token.version() && version != nextVersion;
    }

    private void restartRolledBack(UnitBuilder rolledBack) {
        if (context.handlers().writesApplicationRows()) {
            rolledBack.tasks().stream()
                    .filter(task -> task.state() == HandlerTask.State.HANDLED && task.writesApplicationRows())
                    .forEach(HandlerTask::restart);
            rolledBack.replayAttempts().stream()
                    .filter(attempt -> attempt.tasks().get(0).writesApplicationRows())
                    .forEach(replayAttempts::restart);
        }
    }
}

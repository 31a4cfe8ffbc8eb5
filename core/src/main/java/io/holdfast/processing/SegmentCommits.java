package io.holdfast.processing;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitOutcome;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The units of a segment, one at a time: what was handled and what was not, with the position behind it. A unit that is not
 * committed is formed again without what was at fault. For one thread at a time.
 */
final class SegmentCommits {

    /** A position that nothing but itself would be stored for is stored late. */
    private static final Duration POSITION_SAVE_INTERVAL = Duration.ofSeconds(5);

    private static final int POSITION_SAVE_EVENTS = 5_000;

    private final ProcessorContext context;
    private final TokenClaim claim;
    private final SegmentBacklog backlog;
    private final SegmentReplayAttempts replayAttempts;
    private final ParkedSequences parked;
    private final SegmentOverflow overflow;
    private final ProcessingBackoff backoff;

    private Token token;
    private @Nullable UnitBuilder builder;
    private @Nullable CommitUnit unit;
    private volatile @Nullable CompletableFuture<UnitOutcome> committing;
    private Instant savePositionAt;
    private int maxSize = Integer.MAX_VALUE;
    private boolean resubmit;

    SegmentCommits(
            ProcessorContext context,
            TokenClaim claim,
            Token token,
            SegmentBacklog entries,
            SegmentReplayAttempts drains,
            ParkedSequences parked,
            SegmentOverflow overflow,
            ProcessingBackoff hold) {
        this.context = context;
        this.claim = claim;
        this.token = token;
        this.backlog = entries;
        this.replayAttempts = drains;
        this.parked = parked;
        this.overflow = overflow;
        this.backoff = hold;
        this.savePositionAt = context.now().plus(POSITION_SAVE_INTERVAL);
    }

    Token token() {
        return token;
    }

    /** The segment reads a stream that it did not read. */
    void addStream(String stream, StreamPosition start) {
        if (!token.positions().containsKey(stream)) {
            token = token.with(stream, start);
            backlog.addStream(stream, start);
        }
    }

    boolean isCommitting() {
        return committing != null || resubmit;
    }

    /** Hands what is ready to the committer, unless that has one already. */
    void submit(boolean storePosition) {
        if (committing != null) {
            return;
        }
        CommitUnit rejected = unit;
        if (!resubmit || rejected == null) {
            UnitBuilder next = collect(maxSize);
            if (next.isEmpty() && !isPositionDue(storePosition)) {
                return;
            }
            rejected = build(next);
        }
        resubmit = false;
        CompletableFuture<UnitOutcome> answer = context.stores().committer().submit(rejected);
        committing = answer;
        var unused = answer.whenComplete((outcome, failure) -> context.wake().run());
    }

    /** Handlers are about to write rows: until there is a unit of them, nobody knows what to form again without. */
    void prepareTransaction() {
        builder = null;
    }

    /** Commits what is ready in a transaction that handlers have written in. On the thread that runs them. */
    void commitIn(UnitTransaction rows) {
        CommitUnit next = build(collect(Integer.MAX_VALUE)); // all rows are in the transaction, whatever the unit has
        committing =
                CompletableFuture.completedFuture(context.stores().committer().commitIn(rows, next));
    }

    /** The transaction came to nothing. */
    void failed(Throwable failure) {
        committing = CompletableFuture.failedFuture(failure);
    }

    private CommitUnit build(UnitBuilder next) {
        CommitUnit formed = next.build(advance(next));
        builder = next;
        unit = formed;
        return formed;
    }

    /** How much can be handled that fits into one unit with what is settled already. */
    int room() {
        long settled =
                backlog.openTasks().stream().filter(HandlerTask::isSettled).count();
        return (int) Math.max(0, maxSize - settled);
    }

    private UnitBuilder collect(int limit) {
        UnitBuilder next = new UnitBuilder(new LetterWritesBuilder(context, parked, overflow));
        replayAttempts.addTo(next, limit);
        for (HandlerTask task : backlog.openTasks()) {
            if (next.size() < limit && task.isSettled()) {
                next.add(task);
            }
        }
        parked.heldTooLong(
                        context.now(),
                        context.policy().maxHold(),
                        Math.min(context.settings().batch(), Math.max(0, limit - next.size())))
                .forEach(sequence -> next.makePending(sequence.id()));
        overflow.unitFormed(next.leavesOutHeld());
        return next;
    }

    private TokenAdvance advance(UnitBuilder next) {
        Map<String, StreamPosition> positions = backlog.positions(next.tasks());
        positions.entrySet().removeIf(entry -> entry.getValue()
                .equals(token.positions().get(entry.getKey())));
        return new TokenAdvance(claim, token.version(), positions, backlog.marks(next.tasks()));
    }

    private boolean isPositionDue(boolean now) {
        boolean isDue = now
                || backlog.skipped() >= POSITION_SAVE_EVENTS
                || !context.now().isBefore(savePositionAt);
        return isDue && !backlog.positions(Set.of()).equals(token.positions());
    }

    /**
     * Takes the committer's answer, if there is one.
     *
     * @return false if the segment is lost: another may have it, or the unit may be committed; the stored token knows
     */
    boolean applyOutcome() {
        CompletableFuture<UnitOutcome> answer = committing;
        if (answer == null || !answer.isDone()) {
            return true;
        }
        committing = null;
        try {
            apply(answer.join());
            return true;
        } catch (CompletionException e) {
            return apply(e.getCause() == null ? e : e.getCause());
        }
    }

    private void apply(UnitOutcome outcome) {
        UnitBuilder answered = Objects.requireNonNull(builder);
        if (outcome instanceof UnitOutcome.PartsFailed handedBack) {
            answered.failParts(handedBack.failures());
            restartRolledBack(answered);
        } else {
            committed(answered);
        }
    }

    private void committed(UnitBuilder done) {
        TokenAdvance advance = Objects.requireNonNull(unit).tokenAdvance().orElseThrow();
        Map<String, StreamPosition> positions = new HashMap<>(token.positions());
        positions.putAll(advance.positions());
        token = new Token(token.segment(), token.version() + 1, positions, advance.marks(), token.setup());
        int handled = done.handledEvents();
        done.committed();
        done.replayAttempts().forEach(replayAttempts::committed);
        context.parkingNotifier().report(handled, done.changes(), parked::findCached);
        backlog.stored(positions);
        overflow.unitCommitted();
        overflow.clearIfRoom(parked, backlog);
        savePositionAt = context.now().plus(POSITION_SAVE_INTERVAL);
        maxSize = Integer.MAX_VALUE;
        backoff.clearIfCommitted(positions);
    }

    private boolean apply(Throwable failure) {
        if (failure instanceof CommitterBusyException && !context.writesApplicationRows()) {
            resubmit = true; // nothing was done: the same, later
            backoff.backOff(failure, null);
            return true;
        }
        UnitBuilder answered = builder;
        if (failure instanceof StaleTokenException || failure instanceof RetryableException || answered == null) {
            backoff.backOff(failure, null);
            return false;
        }
        if (failure instanceof DeadLetterQueueOverflowException full
                && (answered.size() < 2 || overflow.isOtherQueueFull(full.component()))) {
            overflow.recordOverflow(full, answered.firstEvent());
            answered.firstParked(full.component()).ifPresent(context::notifyOverflow);
            maxSize = Integer.MAX_VALUE; // what has no room is left out, and must not keep out what makes room
        } else if (answered.size() > 1) {
            maxSize = answered.size()
                    / 2; // one of them cannot be written, or has no room; the others shall not wait for it
        } else if (replayAttempts.halve(answered.replayAttempts())) {
            return true; // one of its letters cannot be written; those before it shall leave
        } else if (answered.settleAlreadyParked(this::isParked)) {
            maxSize = Integer.MAX_VALUE;
        } else if (!answered.failFirstHandled(failure)) {
            backoff.backOff(failure, answered.firstEvent());
        }
        restartRolledBack(answered);
        return true;
    }

    /** Somebody may have parked an event before it came. */
    private boolean isParked(HandlerTask task) {
        return context.stores()
                .letters()
                .findLetter(task.component().id(), task.event().id())
                .isPresent();
    }

    private void restartRolledBack(UnitBuilder undone) {
        if (context.writesApplicationRows()) {
            undone.tasks().stream()
                    .filter(task -> task.state() == HandlerTask.State.HANDLED && task.writesApplicationRows())
                    .forEach(HandlerTask::restart);
            undone.replayAttempts().stream()
                    .filter(drain -> drain.tasks().get(0).writesApplicationRows())
                    .forEach(replayAttempts::restart);
        }
    }
}

package io.holdfast.processing.replay;

import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Receipt;
import io.holdfast.action.Staging;
import io.holdfast.action.execution.AwaitedReceipts;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentClaims;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.processing.segment.SequenceReplay;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Accepts requests to replay parked sequences of a processor, and passes each to the owner of its segment: a worker
 * here, or another replica. Any thread may submit requests; the coordinator's thread advances them.
 */
public final class ReplayRequests {

    private static final String CLOSED = "it is closed";

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final OpenItems openItems;
    private final AwaitedReceipts receipts;
    private final StagedReplays remote;
    private final SegmentActions actions;
    private final Queue<ReplayRun> submitted = new ConcurrentLinkedQueue<>();
    private final List<ReplayRun> runs = new ArrayList<>();
    private final Set<SequenceId> inProgress = new HashSet<>();
    private volatile boolean closed;

    /**
     * @param queues the queues by the id of their component
     * @param order finds out whether a discarded letter can be restored in order
     */
    public ReplayRequests(
            ProcessorContext context,
            SegmentClaims claims,
            OpenItems openItems,
            Function<String, SequencedDeadLetterQueue> queues,
            KeyOrder order) {
        this.context = context;
        this.claims = claims;
        this.openItems = openItems;
        this.receipts = new AwaitedReceipts(context.stores().actions(), context::time);
        this.remote = new StagedReplays(context, receipts);
        OperatorRepairs repairs = new OperatorRepairs(context, queues, order, receipts::requestPoll);
        this.actions = new SegmentActions(context, claims, openItems, repairs, receipts::requestPoll);
    }

    /** Stages an action of an operator on letters of this processor. It runs at the owner of their segments. */
    public Staging stage(Action action) {
        Staging staging = context.stores().actions().stage(action);
        pollActions();
        return staging;
    }

    /** Looks for staged actions at once, because another replica has staged one. */
    public void pollActions() {
        openItems.requestPoll();
        context.wake().run();
    }

    /** Returns the receipt of an action, once it is done, or as it is after the timeout. */
    public CompletableFuture<Receipt> await(String action, Duration timeout) {
        CompletableFuture<Receipt> done = new CompletableFuture<>();
        receipts.add(action, timeout, receipt -> executeAsync(context, () -> complete(done, action, receipt)));
        context.wake().run();
        return done;
    }

    private static void complete(CompletableFuture<Receipt> done, String action, Optional<Receipt> receipt) {
        receipt.ifPresentOrElse(done::complete, () -> done.completeExceptionally(AwaitedReceipts.lost(action)));
    }

    void submit(ReplayRun run) {
        submitted.add(run);
        if (closed) {
            rejectSubmitted();
        }
        context.wake().run();
    }

    /**
     * Starts what can be started, and polls the outcomes of other replicas.
     *
     * @return the maximum time to wait before the next step
     */
    public Duration step() {
        closed = false;
        acceptSubmitted();
        runs.forEach(run -> run.step(this));
        remote.step();
        actions.step();
        Duration wait = receipts.step(SegmentWorker.POLL_INTERVAL);
        runs.removeIf(ReplayRun::isFinished);
        for (ReplayRun run : runs) {
            wait = run.nextDelay().compareTo(wait) < 0 ? run.nextDelay() : wait;
        }
        return wait;
    }

    private void acceptSubmitted() {
        ReplayRun next = submitted.poll();
        while (next != null) {
            runs.add(next);
            next = submitted.poll();
        }
    }

    /**
     * Rejects all requests, because the processor is paused. Letters can still be discarded.
     *
     * @return the maximum time to wait before the next step
     */
    public Duration stepWhilePaused(String why) {
        rejectAll(why);
        actions.stepWhilePaused();
        return receipts.step(SegmentWorker.POLL_INTERVAL);
    }

    /** Rejects all requests, because nothing can be replayed now. */
    public void rejectAll(String why) {
        acceptSubmitted();
        runs.forEach(run -> run.fail(rejection(why)));
        runs.clear();
    }

    /**
     * Rejects all requests, because no step follows soon. Call it when none is running. Later requests are rejected
     * immediately.
     */
    public void close() {
        closed = true;
        rejectSubmitted();
        runs.forEach(run -> run.failOnCallerThread(rejection(CLOSED)));
        runs.clear();
    }

    private void rejectSubmitted() {
        for (ReplayRun run = submitted.poll(); run != null; run = submitted.poll()) {
            run.failOnCallerThread(rejection(CLOSED));
        }
    }

    /**
     * Completes a result on a pool thread, because callbacks must not run on the coordinator's thread. If the pool
     * rejects work, completes it on the current thread.
     */
    static void executeAsync(ProcessorContext context, Runnable completion) {
        try {
            context.handlers().threads().execute(completion);
        } catch (RejectedExecutionException e) {
            completion.run();
        }
    }

    private RetryableException rejection(String why) {
        return new RetryableException("processor " + context.processor() + " cannot replay letters: " + why);
    }

    boolean isInProgress(SequenceId id) {
        return inProgress.contains(id);
    }

    /**
     * Starts the replay of one sequence. The listener gets its outcome, possibly before this method returns; empty if
     * the replay must be requested again from the segment's next owner.
     */
    void start(ParkedSequence sequence, Consumer<Optional<SequenceOutcome>> listener) {
        inProgress.add(sequence.id());
        Consumer<Optional<SequenceOutcome>> onComplete = outcome -> {
            inProgress.remove(sequence.id());
            listener.accept(outcome);
        };
        Optional<SegmentWorker> here = claims.workers().stream()
                .filter(worker -> worker.covers(sequence.hash()))
                .findFirst();
        if (here.isPresent()) {
            if (here.get().isLost() || here.get().isStopping()) {
                onComplete.accept(Optional.empty());
            } else {
                here.get().replay(new SequenceReplay(sequence.id(), onComplete));
            }
        } else if (isClaimedElsewhere(sequence.hash())) {
            remote.request(sequence.id(), new SequenceReplay(sequence.id(), onComplete));
        } else {
            onComplete.accept(Optional.empty());
        }
    }

    private boolean isClaimedElsewhere(int hash) {
        return claims.layout().stream()
                .filter(claimed -> covers(claimed, hash))
                .anyMatch(claimed -> claimed.owner() != null && !claimed.owner().equals(context.replica()));
    }

    private static boolean covers(ClaimedToken claimed, int hash) {
        return Segments.covers(
                hash,
                claimed.token().segment().number(),
                claimed.token().setup().mask());
    }
}

package io.holdfast.processing.replay;

import io.holdfast.RetryableException;
import io.holdfast.UserFailures;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkProgress.Status;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Replays the selected sequences of one component, each once. The coordinator's thread advances the run; any thread may
 * read its progress or stop it.
 */
final class ReplayRun implements BulkReplay {

    /** The maximum number of sequences in progress. */
    private static final int MAX_CONCURRENT = 4_000;

    private static final SequenceOutcome NOTHING_REPLAYED = new SequenceOutcome(false, List.of());

    private final ProcessorContext context;
    private final ReplaySelection selection;
    private final BulkReplaySettings settings;
    private final long limit;
    private final CompletableFuture<BulkProgress> result = new CompletableFuture<>();
    private final List<ParkedSequence> toRestart = new ArrayList<>();
    private volatile BulkProgress progress = new BulkProgress(0, 0, 0, 0, Status.RUNNING);
    private volatile SequenceOutcome latest = NOTHING_REPLAYED;
    private volatile boolean stopping;
    private @Nullable MonotonicTime startedAt;
    private long running;
    private boolean finished;
    private boolean storeUnavailable;

    /** @param limit the maximum number of sequences to replay */
    ReplayRun(ProcessorContext context, ReplaySelection selection, BulkReplaySettings settings, long limit) {
        this.context = context;
        this.selection = selection;
        this.settings = settings;
        this.limit = limit;
    }

    @Override
    public BulkProgress progress() {
        return progress;
    }

    @Override
    public void stop() {
        stopping = true;
        context.wake().run();
    }

    @Override
    public CompletableFuture<BulkProgress> result() {
        return result;
    }

    /** Returns what became of the only sequence of this run, once it has ended. */
    CompletableFuture<SequenceOutcome> outcome() {
        return result.thenApply(ended -> latest);
    }

    boolean isFinished() {
        return finished;
    }

    /**
     * Starts as many sequences as allowed. If the store is unavailable, the next step retries; any other failure ends
     * the run.
     */
    void step(ReplayRequests requests) {
        storeUnavailable = false;
        try {
            startAll(requests);
            if (running == 0 && toRestart.isEmpty()) {
                completeIfFinished();
            }
        } catch (RetryableException e) {
            selection.startOver();
            storeUnavailable = true;
        } catch (Throwable e) {
            fail(UserFailures.throwIfFatal(e));
        }
    }

    private void startAll(ReplayRequests requests) {
        List<ParkedSequence> lost = List.copyOf(toRestart);
        toRestart.clear();
        if (stopping) {
            progress = progress.notStarted(lost.size()); // their outcome is unknown, and they are not requested again
            return;
        }
        lost.forEach(sequence -> start(requests, sequence));
        selection.beginStep();
        while (mayStart()) {
            ParkedSequence next = selection.next(requests::isInProgress);
            progress = progress.examined(selection.examined());
            if (next == null) {
                return;
            }
            progress = progress.startedOne();
            start(requests, next);
        }
    }

    private void start(ReplayRequests requests, ParkedSequence sequence) {
        running++;
        requests.start(sequence, outcome -> onCompleted(sequence, outcome));
    }

    private void onCompleted(ParkedSequence sequence, Optional<SequenceOutcome> outcome) {
        running--;
        if (outcome.isEmpty()) {
            toRestart.add(sequence);
            return; // no wake-up: it takes a while until the segment is claimed again
        }
        latest = outcome.get();
        progress = latest.drained() ? progress.drainedOne() : progress.failedOne();
        context.wake().run();
    }

    private boolean mayStart() {
        return !stopping
                && progress.started() < limit
                && running < MAX_CONCURRENT
                && toRestart.isEmpty()
                && (!settings.canary() || progress.started() == 0 || hasCanaryPassed())
                && (settings.perSecond() == 0 || progress.started() < allowed());
    }

    private boolean hasCanaryPassed() {
        return progress.drained() > 0;
    }

    private long allowed() {
        MonotonicTime start = startedAt == null ? context.time() : startedAt;
        startedAt = start;
        return 1 + start.until(context.time()).toMillis() * settings.perSecond() / 1_000;
    }

    private void completeIfFinished() {
        boolean canaryFailed = settings.canary() && progress.started() > 0 && !hasCanaryPassed();
        if (canaryFailed) {
            complete(Status.CANARY_FAILED);
        } else if (stopping) {
            complete(Status.STOPPED);
        } else if (selection.isExhausted() || progress.started() >= limit) {
            complete(Status.COMPLETED);
        }
    }

    private void complete(Status status) {
        finished = true;
        progress = progress.withStatus(status);
        ReplayRequests.executeAsync(context, () -> result.complete(progress));
    }

    void fail(Throwable failure) {
        finished = true;
        ReplayRequests.executeAsync(context, () -> result.completeExceptionally(failure));
    }

    /** As {@link #fail}, on the caller's thread, because the pool may have terminated. */
    void failOnCallerThread(Throwable failure) {
        finished = true;
        result.completeExceptionally(failure);
    }

    /** Returns the time until the next step, if no replay ends earlier. */
    Duration nextDelay() {
        if (storeUnavailable) {
            return SegmentWorker.POLL_INTERVAL;
        }
        if (running == 0 && toRestart.isEmpty() && !selection.isExhausted() && settings.perSecond() == 0) {
            return Duration.ZERO;
        }
        return settings.perSecond() == 0 || selection.isExhausted()
                ? SegmentWorker.POLL_INTERVAL
                : Duration.ofMillis(Math.max(1, 1_000 / settings.perSecond()));
    }
}

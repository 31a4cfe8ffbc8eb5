package io.holdfast.processing;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkProgress.Status;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.worker.UserFailures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sequences of one component that somebody has asked for, chosen in the order of their turns, each once. Moved on by the
 * coordinator; looked at and stopped by any thread.
 */
final class ReplayRun implements BulkReplay {

    /** How many may be begun and not ended. */
    private static final int MAX_CONCURRENT = 4_000;

    private final ProcessorContext context;
    private final ReplaySelection selection;
    private final BulkReplaySettings settings;
    private final long limit;
    private final CompletableFuture<BulkProgress> result = new CompletableFuture<>();
    private final List<ParkedSequence> toRestart = new ArrayList<>();
    private volatile BulkProgress progress = new BulkProgress(0, 0, 0, 0, Status.RUNNING);
    private volatile boolean stopping;
    private @Nullable Instant startedAt;
    private long running;
    private boolean finished;
    private boolean storeUnavailable;

    /** @param most how many sequences are processed at most */
    ReplayRun(ProcessorContext context, ReplaySelection choice, BulkReplaySettings settings, long most) {
        this.context = context;
        this.selection = choice;
        this.settings = settings;
        this.limit = most;
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

    boolean isFinished() {
        return finished;
    }

    /** Begins what may be begun. A store that does not answer is asked again; whatever else is thrown ends the run. */
    void step(ReplayRequests desk) {
        storeUnavailable = false;
        try {
            startAll(desk);
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

    private void startAll(ReplayRequests desk) {
        List<ParkedSequence> lost = List.copyOf(toRestart);
        toRestart.clear();
        if (stopping) {
            progress = progress.notStarted(lost.size()); // nothing is known of them, and nobody asks any more
            return;
        }
        lost.forEach(sequence -> start(desk, sequence));
        selection.beginStep();
        while (mayStart()) {
            ParkedSequence next = selection.next(desk::isInProgress);
            progress = progress.examined(selection.examined());
            if (next == null) {
                return;
            }
            progress = progress.startedOne();
            start(desk, next);
        }
    }

    private void start(ReplayRequests desk, ParkedSequence sequence) {
        running++;
        desk.start(sequence, outcome -> onCompleted(sequence, outcome));
    }

    private void onCompleted(ParkedSequence sequence, SequenceReplay.Outcome outcome) {
        running--;
        switch (outcome) {
            case DRAINED -> progress = progress.drainedOne();
            case FAILED_AGAIN -> progress = progress.failedOne();
            case LOST -> {
                toRestart.add(sequence);
                return; // whoever has the segment next does not have it at once: no reason to hurry
            }
        }
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
        Instant start = startedAt == null ? context.now() : startedAt;
        startedAt = start;
        return 1 + Duration.between(start, context.now()).toMillis() * settings.perSecond() / 1_000;
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

    private void complete(Status end) {
        finished = true;
        progress = progress.withStatus(end);
        executeAsync(() -> result.complete(progress));
    }

    void fail(Throwable failure) {
        finished = true;
        executeAsync(() -> result.completeExceptionally(failure));
    }

    /** What hangs on the answer must not run on the coordinator's thread, as long as there are others. */
    private void executeAsync(Runnable answer) {
        try {
            context.threads().execute(answer);
        } catch (RejectedExecutionException e) {
            answer.run();
        }
    }

    /** As {@link #fail}, on the caller's thread: there may be no other any more. */
    void failOnCallerThread(Throwable failure) {
        finished = true;
        result.completeExceptionally(failure);
    }

    /** When it wants to go on, if nothing ends before. */
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

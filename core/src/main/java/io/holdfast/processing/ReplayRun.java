package io.holdfast.processing;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkProgress.End;
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
    private static final int MOST_AT_ONCE = 4_000;

    private final ProcessorContext context;
    private final ReplayChoice choice;
    private final BulkReplaySettings settings;
    private final long most;
    private final CompletableFuture<BulkProgress> result = new CompletableFuture<>();
    private final List<ParkedSequence> again = new ArrayList<>();
    private volatile BulkProgress progress = new BulkProgress(0, 0, 0, 0, End.RUNNING);
    private volatile boolean stopping;
    private @Nullable Instant startedAt;
    private long running;
    private boolean over;
    private boolean unanswered;

    /** @param most how many sequences are processed at most */
    ReplayRun(ProcessorContext context, ReplayChoice choice, BulkReplaySettings settings, long most) {
        this.context = context;
        this.choice = choice;
        this.settings = settings;
        this.most = most;
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

    boolean isOver() {
        return over;
    }

    /** Begins what may be begun. A store that does not answer is asked again; whatever else is thrown ends the run. */
    void step(ReplayDesk desk) {
        unanswered = false;
        try {
            beginAll(desk);
            if (running == 0 && again.isEmpty()) {
                end();
            }
        } catch (RetryableException e) {
            choice.startOver();
            unanswered = true;
        } catch (Throwable e) {
            fail(UserFailures.survivable(e));
        }
    }

    private void beginAll(ReplayDesk desk) {
        List<ParkedSequence> lost = List.copyOf(again);
        again.clear();
        if (stopping) {
            progress = progress.notBegun(lost.size()); // nothing is known of them, and nobody asks any more
            return;
        }
        lost.forEach(sequence -> begin(desk, sequence));
        choice.beginStep();
        while (mayBegin()) {
            ParkedSequence next = choice.next(desk::isBegun);
            progress = progress.looked(choice.looked());
            if (next == null) {
                return;
            }
            progress = progress.begunOne();
            begin(desk, next);
        }
    }

    private void begin(ReplayDesk desk, ParkedSequence sequence) {
        running++;
        desk.begin(sequence, outcome -> ended(sequence, outcome));
    }

    private void ended(ParkedSequence sequence, Replay.Outcome outcome) {
        running--;
        switch (outcome) {
            case DRAINED -> progress = progress.drainedOne();
            case FAILED_AGAIN -> progress = progress.failedOne();
            case LOST -> {
                again.add(sequence);
                return; // whoever has the segment next does not have it at once: no reason to hurry
            }
        }
        context.wake().run();
    }

    private boolean mayBegin() {
        return !stopping
                && progress.begun() < most
                && running < MOST_AT_ONCE
                && again.isEmpty()
                && (!settings.canary() || progress.begun() == 0 || hasCanaryPassed())
                && (settings.perSecond() == 0 || progress.begun() < allowed());
    }

    private boolean hasCanaryPassed() {
        return progress.drained() > 0;
    }

    private long allowed() {
        Instant start = startedAt == null ? context.now() : startedAt;
        startedAt = start;
        return 1 + Duration.between(start, context.now()).toMillis() * settings.perSecond() / 1_000;
    }

    private void end() {
        boolean canaryFailed = settings.canary() && progress.begun() > 0 && !hasCanaryPassed();
        if (canaryFailed) {
            complete(End.CANARY_FAILED);
        } else if (stopping) {
            complete(End.STOPPED);
        } else if (choice.isExhausted() || progress.begun() >= most) {
            complete(End.COMPLETED);
        }
    }

    private void complete(End end) {
        over = true;
        progress = progress.ended(end);
        answer(() -> result.complete(progress));
    }

    void fail(Throwable failure) {
        over = true;
        answer(() -> result.completeExceptionally(failure));
    }

    /** What hangs on the answer must not run on the coordinator's thread, as long as there are others. */
    private void answer(Runnable answer) {
        try {
            context.threads().execute(answer);
        } catch (RejectedExecutionException e) {
            answer.run();
        }
    }

    /** As {@link #fail}, on the caller's thread: there may be no other any more. */
    void failHere(Throwable failure) {
        over = true;
        result.completeExceptionally(failure);
    }

    /** When it wants to go on, if nothing ends before. */
    Duration untilNext() {
        if (unanswered) {
            return SegmentWork.POLL;
        }
        if (running == 0 && again.isEmpty() && !choice.isExhausted() && settings.perSecond() == 0) {
            return Duration.ZERO;
        }
        return settings.perSecond() == 0 || choice.isExhausted()
                ? SegmentWork.POLL
                : Duration.ofMillis(Math.max(1, 1_000 / settings.perSecond()));
    }
}

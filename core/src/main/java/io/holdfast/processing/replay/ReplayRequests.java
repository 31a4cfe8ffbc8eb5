package io.holdfast.processing.replay;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceOutcome;
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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Accepts requests to replay parked sequences of a processor, and passes each to the owner of its segment: a worker
 * here, or another replica. Any thread may submit requests; the coordinator's thread advances them.
 */
public final class ReplayRequests {

    private static final String CLOSED = "it is closed";

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final RemoteReplays remote;
    private final Queue<ReplayRun> submitted = new ConcurrentLinkedQueue<>();
    private final List<ReplayRun> runs = new ArrayList<>();
    private final Set<SequenceId> inProgress = new HashSet<>();
    private volatile boolean closed;

    public ReplayRequests(ProcessorContext context, SegmentClaims claims) {
        this.context = context;
        this.claims = claims;
        this.remote = new RemoteReplays(context);
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
        runs.removeIf(ReplayRun::isFinished);
        Duration wait = SegmentWorker.POLL_INTERVAL;
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
            remote.request(sequence, new SequenceReplay(sequence.id(), onComplete));
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

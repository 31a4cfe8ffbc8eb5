package io.holdfast.processing;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
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
 * Where people ask for parked sequences of a processor to be processed. Each is brought to whoever has its segment: the work on
 * it here, or another replica. Asked by any thread, moved on by the coordinator.
 */
final class ReplayRequests {

    private static final String CLOSED = "it is closed";

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final RemoteReplays remote;
    private final Queue<ReplayRun> submitted = new ConcurrentLinkedQueue<>();
    private final List<ReplayRun> runs = new ArrayList<>();
    private final Set<SequenceId> inProgress = new HashSet<>();
    private volatile boolean closed;

    ReplayRequests(ProcessorContext context, SegmentClaims shares) {
        this.context = context;
        this.claims = shares;
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
     * Begins what can be begun, and looks what others have come to.
     *
     * @return how long to wait at most before the next step
     */
    Duration step() {
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

    /** Nothing can be processed now. */
    void rejectAll(String why) {
        acceptSubmitted();
        runs.forEach(run -> run.fail(rejection(why)));
        runs.clear();
    }

    /** No step comes any more, or not soon; to be called when none runs. Who asks from now on is refused at once. */
    void close() {
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
        return new RetryableException(
                "nothing parked of processor " + context.processor() + " can be processed: " + why);
    }

    boolean isInProgress(SequenceId id) {
        return inProgress.contains(id);
    }

    /** Begins one sequence; whoever wants it is told what came of it, perhaps at once. */
    void start(ParkedSequence sequence, Consumer<SequenceReplay.Outcome> told) {
        inProgress.add(sequence.id());
        Consumer<SequenceReplay.Outcome> ended = outcome -> {
            inProgress.remove(sequence.id());
            told.accept(outcome);
        };
        Optional<SegmentWorker> here = claims.workers().stream()
                .filter(work -> work.covers(sequence.hash()))
                .findFirst();
        if (here.isPresent()) {
            if (here.get().isLost() || here.get().isStopping()) {
                ended.accept(SequenceReplay.Outcome.LOST); // it is asked for again, wherever the segment is then
            } else {
                here.get().replay(new SequenceReplay(sequence.id(), ended));
            }
        } else if (isClaimedElsewhere(sequence.hash())) {
            remote.request(sequence, new SequenceReplay(sequence.id(), ended));
        } else {
            ended.accept(SequenceReplay.Outcome.LOST);
        }
    }

    private boolean isClaimedElsewhere(int hash) {
        return claims.layout().stream()
                .filter(held -> covers(held, hash))
                .anyMatch(held -> held.owner() != null && !held.owner().equals(context.replica()));
    }

    private static boolean covers(ClaimedToken held, int hash) {
        return Segments.covers(
                hash, held.token().segment().number(), held.token().setup().mask());
    }
}

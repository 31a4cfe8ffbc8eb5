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
final class ReplayDesk {

    private static final String CLOSED = "it is closed";

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final RemoteReplays remote;
    private final Queue<ReplayRun> asked = new ConcurrentLinkedQueue<>();
    private final List<ReplayRun> runs = new ArrayList<>();
    private final Set<SequenceId> begun = new HashSet<>();
    private volatile boolean closed;

    ReplayDesk(ProcessorContext context, SegmentClaims shares) {
        this.context = context;
        this.claims = shares;
        this.remote = new RemoteReplays(context);
    }

    void ask(ReplayRun run) {
        asked.add(run);
        if (closed) {
            refuseAsked();
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
        take();
        runs.forEach(run -> run.step(this));
        remote.step();
        runs.removeIf(ReplayRun::isOver);
        Duration wait = SegmentWork.POLL;
        for (ReplayRun run : runs) {
            wait = run.untilNext().compareTo(wait) < 0 ? run.untilNext() : wait;
        }
        return wait;
    }

    private void take() {
        ReplayRun next = asked.poll();
        while (next != null) {
            runs.add(next);
            next = asked.poll();
        }
    }

    /** Nothing can be processed now. */
    void refuse(String why) {
        take();
        runs.forEach(run -> run.fail(refusal(why)));
        runs.clear();
    }

    /** No step comes any more, or not soon; to be called when none runs. Who asks from now on is refused at once. */
    void close() {
        closed = true;
        refuseAsked();
        runs.forEach(run -> run.failHere(refusal(CLOSED)));
        runs.clear();
    }

    private void refuseAsked() {
        for (ReplayRun run = asked.poll(); run != null; run = asked.poll()) {
            run.failHere(refusal(CLOSED));
        }
    }

    private RetryableException refusal(String why) {
        return new RetryableException(
                "nothing parked of processor " + context.processor() + " can be processed: " + why);
    }

    boolean isBegun(SequenceId id) {
        return begun.contains(id);
    }

    /** Begins one sequence; whoever wants it is told what came of it, perhaps at once. */
    void begin(ParkedSequence sequence, Consumer<Replay.Outcome> told) {
        begun.add(sequence.id());
        Consumer<Replay.Outcome> ended = outcome -> {
            begun.remove(sequence.id());
            told.accept(outcome);
        };
        Optional<SegmentWork> here = claims.workers().stream()
                .filter(work -> work.isOf(sequence.hash()))
                .findFirst();
        if (here.isPresent()) {
            if (here.get().isLost() || here.get().isStopping()) {
                ended.accept(Replay.Outcome.LOST); // it is asked for again, wherever the segment is then
            } else {
                here.get().replay(new Replay(sequence.id(), ended));
            }
        } else if (isElsewhere(sequence.hash())) {
            remote.ask(sequence, new Replay(sequence.id(), ended));
        } else {
            ended.accept(Replay.Outcome.LOST);
        }
    }

    private boolean isElsewhere(int hash) {
        return claims.layout().stream()
                .filter(held -> isOf(held, hash))
                .anyMatch(held -> held.owner() != null && !held.owner().equals(context.replica()));
    }

    private static boolean isOf(ClaimedToken held, int hash) {
        return Segments.isOf(
                hash, held.token().segment().number(), held.token().setup().mask());
    }
}

package io.holdfast.processing;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.wire.StartAt;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A named consumer: reads streams, hands each event to its components, and commits their effects together with the
 * position. What is at or below the position has been dealt with, for ever: that is the de-duplication.
 *
 * <p>Its events are shared out, by sequence, to segments; replicas share the segments. An event that cannot be handled is
 * parked, with those of its sequence that come after it, and everything else goes on.
 *
 * <p>One {@link #step} does what can be done and does not wait, neither for handlers nor for the committer. It is for one
 * thread, the coordinator's; all else is for any.
 */
public final class EventProcessor {

    /** Services start in any order; the one that is first asks again soon. */
    private static final Duration SOURCE_RETRY_INTERVAL = Duration.ofMillis(200);

    /** How long an operation may take to bring segments to rest. */
    private static final Duration OPERATION_TIMEOUT = Duration.ofMinutes(1);

    private final ProcessorContext context;
    private final ProcessorStreams streams;
    private final SegmentClaims claims;
    private final PolicyChange policyChange;
    private final ReplayRequests replayRequests;
    private final ProcessingBackoff backoff;
    private final CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();
    private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
    private volatile boolean closing;
    private volatile boolean released;
    private volatile ProcessorStatus status = ProcessorStatus.NEW;
    private volatile @Nullable Worker worker;

    EventProcessor(EventProcessorBuilder builder) {
        this.context = builder.context(this::wake);
        SegmentRequirements requirements = builder.requirements();
        this.claims = new SegmentClaims(context, builder.replica, requirements);
        this.replayRequests = new ReplayRequests(context, claims);
        this.backoff = new ProcessingBackoff(builder.service + "/" + builder.name, builder.clock);
        this.streams = new ProcessorStreams(context, builder.streams, builder.start, builder.policy, backoff);
        this.policyChange = new PolicyChange(
                context, builder.replica, requirements, builder.policy, builder.formerPolicy, streams, claims);
    }

    /** Runs on a thread of its own until the worker is closed. */
    public Worker start() {
        Worker started = Worker.start("holdfast-processor-" + context.processor(), this::step);
        worker = started;
        started.wake(); // what came while nobody could be woken
        return started;
    }

    /**
     * Does what can be done now.
     *
     * @return how long to wait, unless woken, before the next step
     */
    public Duration step() {
        released = false;
        try {
            Duration held = backoff.remaining();
            if (!held.isZero()) {
                return held;
            }
            refresh();
            operate();
            stopIfPausedOrClosing();
            streams.beginStep(claims.workers());
            Duration wait = replay();
            wait = streams.isWaiting() && SOURCE_RETRY_INTERVAL.compareTo(wait) < 0 ? SOURCE_RETRY_INTERVAL : wait;
            for (SegmentWorker work : claims.workers()) {
                Duration next = work.step(streams.feeds());
                wait = next.compareTo(wait) < 0 ? next : wait;
            }
            claims.removeFinished();
            claims.pollRemoved().forEach(streams::removeSegment);
            if (closing && claims.workers().stream().allMatch(SegmentWorker::isDrained)) {
                drained.complete(null);
            }
            backoff.clearIfCommitted(Map.of());
            return streams.hasMore() ? Duration.ZERO : wait;
        } catch (HoldfastException e) {
            return backoff.backOff(e, null);
        } finally {
            status = newStatus();
        }
    }

    private void refresh() {
        boolean looked = claims.refresh();
        if (looked) {
            if (streams.refresh(claims.layout(), claims.workers())) {
                claims.abandon(); // another generation
            }
            policyChange.advance(claims.layout());
        }
        if (streams.hasUnresolved() && streams.resolveStarts(claims.workers())) {
            claims.requestRefresh();
            looked = claims.refresh();
        }
        pauseOrResume();
        if (looked && !closing) {
            claims.rebalance();
        }
        claims.workers().forEach(work -> work.updateLag(streams.heads()));
    }

    private void pauseOrResume() {
        if (!stopIfPausedOrClosing() && status.paused()) {
            claims.resume();
        }
    }

    /** Also what was opened, or let go on, since it was last said. */
    private boolean stopIfPausedOrClosing() {
        boolean stops = isPaused() || closing;
        if (stops) {
            claims.workers().forEach(SegmentWorker::stop);
        }
        return stops;
    }

    private Duration replay() {
        if (isPaused() || closing) {
            replayRequests.rejectAll(closing ? "it is being closed" : "it is paused; resume it first");
            return SegmentWorker.POLL_INTERVAL;
        }
        return replayRequests.step();
    }

    private boolean isPaused() {
        return claims.layout().stream().anyMatch(held -> held.token().setup().paused());
    }

    private void operate() {
        Operation next = operations.peek();
        if (next == null) {
            return;
        }
        if (context.now().isAfter(next.deadline())) {
            next.result()
                    .completeExceptionally(new RetryableException("processor " + context.processor()
                            + " did not come to rest within " + OPERATION_TIMEOUT + "; nothing was changed"));
        } else {
            next.advance();
        }
        if (next.result().isDone()) {
            operations.remove();
            next.finish();
        }
    }

    public ProcessorStatus status() {
        return status;
    }

    private ProcessorStatus newStatus() {
        return new ProcessorStatus(
                streams.generation(), isPaused(), claims.status(), backoff.error(), streams.stopped());
    }

    /** Makes the next step come at once: something may have arrived. */
    public void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }

    /** What it hands events to, in their order. */
    public List<Component> components() {
        return context.components().stream().map(BoundComponent::component).toList();
    }

    /**
     * Processes what is parked for a component again.
     *
     * @param component its name, now or before
     */
    public SequencedDeadLetterProcessor deadLetterProcessor(String component) {
        return new ComponentReplays(context, replayRequests, bound(component).id());
    }

    /**
     * What is parked for a component.
     *
     * @param component its name, now or before
     */
    public SequencedDeadLetterQueue deadLetterQueue(String component) {
        BoundComponent bound = bound(component);
        return new SequencedDeadLetterQueue(
                context.stores().letters(),
                bound.queueName(),
                context.processor(),
                bound.id(),
                bound.queue().effectiveLimits(),
                context.clock(),
                context.parkingNotifier()::notifyListeners);
    }

    private BoundComponent bound(String component) {
        return context.components().stream()
                .filter(bound -> bound.component().name().equals(component)
                        || bound.component().stableName().equals(component))
                .findFirst()
                .orElseThrow(() -> new PermanentException("processor " + context.processor() + " has no component "
                        + component + "; there are "
                        + context.components().stream()
                                .map(bound -> bound.component().name())
                                .toList()));
    }

    /**
     * Splits a segment that this replica holds, or nobody: half of its sequences become a segment of their own.
     *
     * @return the number of the new one
     */
    public CompletableFuture<Integer> split(int segment) {
        return operate(() -> new SplitOrMergeOperation(context, claims, segment, true, deadline()));
    }

    /**
     * Merges a segment with its sibling, if this replica holds both, or nobody does. They are brought to one position
     * first.
     *
     * @return the number of the one that is left
     */
    public CompletableFuture<Integer> merge(int segment) {
        return operate(() -> new SplitOrMergeOperation(context, claims, segment, false, deadline()));
    }

    /** Gives a segment of this replica to others, and does not take it back while its lease would have lasted. */
    public CompletableFuture<@Nullable Void> release(int segment) {
        return operate(() -> new ReleaseOperation(context, claims, segment, deadline()));
    }

    /** No replica works on the processor until {@link #resume}. What runs ends. */
    public void pause() {
        context.stores().tokens().setPaused(context.processor(), true);
        wake();
    }

    public void resume() {
        context.stores().tokens().setPaused(context.processor(), false);
        wake();
    }

    /**
     * Handles all events again from a start, in a new generation. Parked letters of events that will be handled again
     * leave.
     *
     * @return the new generation; fails if a component is not declared replayable
     */
    public CompletableFuture<Integer> reset(StartAt start) {
        List<String> once = context.components().stream()
                .filter(bound -> !bound.component().isResettable())
                .map(BoundComponent::id)
                .toList();
        if (!once.isEmpty()) {
            return CompletableFuture.failedFuture(new PermanentException("processor " + context.processor()
                    + " cannot be reset: " + once + " are not declared replayable, handling events again could do"
                    + " again what they did"));
        }
        return operate(() -> streams.reset(start, deadline(), claims::abandon));
    }

    /**
     * Accepts, for an operator, that a restored source has forgotten what this processor had read of a stream: it goes on
     * from where the restore left the stream. The effects of what was forgotten stay.
     *
     * @return what was accepted, when it is durable; it fails if there is nothing to accept
     */
    public CompletableFuture<AcceptedRestore> acceptRestore(String stream) {
        if (!streams.reads(stream)) {
            return CompletableFuture.failedFuture(
                    new PermanentException("processor " + context.processor() + " does not read stream " + stream));
        }
        return operate(() -> streams.acceptRestore(stream, deadline(), claims::abandon));
    }

    private void rejectOperations() {
        for (Operation next = operations.poll(); next != null; next = operations.poll()) {
            next.result()
                    .completeExceptionally(new RetryableException(
                            "processor " + context.processor() + " is closed; what was asked of it is not done"));
        }
    }

    private Instant deadline() {
        return context.now().plus(OPERATION_TIMEOUT);
    }

    /** The operation is made when its turn has come, on the coordinator's thread. */
    private <T extends @Nullable Object> CompletableFuture<T> operate(Supplier<? extends Operation> operation) {
        DeferredOperation<T> later = new DeferredOperation<>(operation);
        operations.add(later);
        if (released) {
            rejectOperations(); // no step comes any more, and nobody would answer
        }
        wake();
        return later.result();
    }

    /**
     * Takes nothing more and comes to rest, so that nothing has to be handled again by whoever is next. For the time of a
     * shutdown; it does not go on.
     *
     * @return completes when all is committed
     */
    public CompletableFuture<@Nullable Void> drain() {
        closing = true;
        wake();
        return drained;
    }

    /** Gives the segments back; to be called when no step runs. What was handled and not committed is handled again. */
    public void release() {
        released = true;
        rejectOperations();
        replayRequests.close();
        claims.release();
        status = newStatus();
    }
}

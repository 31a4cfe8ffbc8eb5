package io.holdfast.processing;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Receipt;
import io.holdfast.action.Settlement;
import io.holdfast.action.Staging;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.handling.Component;
import io.holdfast.parking.BoundComponent;
import io.holdfast.processing.operation.DeferredOperation;
import io.holdfast.processing.operation.Operation;
import io.holdfast.processing.operation.ReleaseOperation;
import io.holdfast.processing.operation.SplitOrMergeOperation;
import io.holdfast.processing.replay.ComponentReplays;
import io.holdfast.processing.replay.ReplayRequests;
import io.holdfast.processing.segment.ProcessingBackoff;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.ProcessorRegistration;
import io.holdfast.processing.segment.SegmentClaims;
import io.holdfast.processing.segment.SegmentRequirements;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.processing.status.ProcessorStatus;
import io.holdfast.wire.StartAt;
import io.holdfast.worker.MonotonicTime;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A named consumer: reads streams, passes each event to its components, and commits their effects together with the
 * position. Events at or below the position have been processed and are skipped if they are redelivered. That is the
 * deduplication.
 *
 * <p>Events are assigned to segments by sequence, and replicas share the segments. An event that cannot be handled is
 * parked, and later events of its sequence are parked behind it. Everything else continues.
 *
 * <p>One {@link #step} does what can be done now. It waits neither for handlers nor for the committer. Only the
 * coordinator's thread calls it; all other methods are thread-safe.
 */
public final class EventProcessor {

    /** Services start in any order, so the processor soon retries a source that does not respond yet. */
    private static final Duration SOURCE_RETRY_INTERVAL = Duration.ofMillis(200);

    /** The time after which an operation is given up, for example because a segment does not drain. */
    private static final Duration OPERATION_TIMEOUT = Duration.ofMinutes(1);

    private final ProcessorContext context;
    private final ProcessorStreams streams;
    private final ProcessorRegistration registration;
    private final SegmentClaims claims;
    private final PolicyChange policyChange;
    private final ReplayRequests replayRequests;
    private final ProcessingBackoff backoff;
    private final CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();
    private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
    private volatile boolean registered;
    private volatile boolean reloadRequested;
    private volatile boolean closing;
    private volatile boolean released;
    private volatile ProcessorStatus status = ProcessorStatus.NEW;
    private volatile @Nullable Worker worker;

    EventProcessor(EventProcessorBuilder builder) {
        this.context = builder.context(this::wake);
        SegmentRequirements requirements = new SegmentRequirements(builder.policy.name());
        this.registration = new ProcessorRegistration(context, builder.retiredIds());
        this.claims = new SegmentClaims(context, builder.replica, requirements, registration);
        this.replayRequests = new ReplayRequests(context, claims, builder.openItems(), this::queue, builder.keyOrder());
        this.backoff = new ProcessingBackoff(builder.service + "/" + builder.name, builder.clock);
        this.streams = new ProcessorStreams(context, builder.streams, builder.start(), builder.policy, backoff);
        this.policyChange = new PolicyChange(
                context, builder.replica, requirements, builder.policy, builder.formerPolicy, streams, claims);
    }

    /**
     * Registers what this version handles, before the service commits its first event: from then on no replica, of
     * whatever version, skips such an event. Call it before {@link #start}; otherwise the first step does it.
     */
    public void register() {
        registration.register();
        registered = true;
    }

    /** Starts the coordinator's thread, which runs until the worker is closed. */
    public Worker start() {
        Worker started = Worker.start(
                "holdfast-processor-" + context.processor(), context.settings().commitInterval(), this::step);
        worker = started;
        started.wake(); // earlier wake-ups found no worker
        return started;
    }

    /**
     * Does what can be done now.
     *
     * @return the time to wait before the next step, unless woken
     */
    public Duration step() {
        released = false;
        try {
            Duration remaining = backoff.remaining();
            if (!remaining.isZero()) {
                return remaining;
            }
            if (!registered) {
                register();
            }
            reloadIfRequested();
            if (isCommitterStalled()) {
                claims.abandon(); // their leases are not renewed, so another replica claims them
            } else {
                refresh();
            }
            operate();
            stopIfPausedOrClosing();
            streams.beginStep(claims.workers());
            Duration wait = replay();
            wait = streams.isWaiting() && SOURCE_RETRY_INTERVAL.compareTo(wait) < 0 ? SOURCE_RETRY_INTERVAL : wait;
            for (SegmentWorker segment : claims.workers()) {
                Duration next = segment.step(streams.feeds());
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

    private boolean isCommitterStalled() {
        return context.stores().committer().problem().isPresent();
    }

    private void refresh() {
        boolean refreshed = claims.refresh();
        if (refreshed) {
            if (streams.refresh(claims.layout(), claims.workers())) {
                claims.abandon(); // the processor was reset
            }
            policyChange.advance(claims.layout());
            claims.pollReplicas().ifPresent(registration::update);
        }
        if (streams.hasUnresolved() && streams.resolveStarts(claims.workers())) {
            claims.requestRefresh();
            refreshed = claims.refresh();
        }
        pauseOrResume();
        if (refreshed && !closing) {
            claims.rebalance();
        }
        claims.workers().forEach(segment -> segment.updateLag(streams.heads()));
    }

    private void pauseOrResume() {
        if (!stopIfPausedOrClosing() && status.paused()) {
            claims.resume();
        }
    }

    /** Also stops segments that were opened or resumed since the last call. */
    private boolean stopIfPausedOrClosing() {
        boolean stops = isPaused() || closing;
        if (stops) {
            claims.workers().forEach(SegmentWorker::stop);
        }
        return stops;
    }

    private Duration replay() {
        if (closing) {
            replayRequests.rejectAll("it is shutting down");
            return SegmentWorker.POLL_INTERVAL;
        }
        if (isPaused()) {
            return replayRequests.stepWhilePaused("it is paused; resume it first");
        }
        return replayRequests.step();
    }

    private boolean isPaused() {
        return claims.layout().stream()
                .anyMatch(claimed -> claimed.token().setup().paused());
    }

    private void operate() {
        Operation next = operations.peek();
        if (next == null) {
            return;
        }
        if (context.time().isAfter(next.deadline())) {
            next.result()
                    .completeExceptionally(new RetryableException("processor " + context.processor()
                            + " did not complete the operation within " + OPERATION_TIMEOUT + "; nothing was changed"));
        } else {
            next.advance();
        }
        if (next.result().isDone()) {
            operations.remove();
            next.finish();
        }
    }

    public ProcessorStatus status() {
        ProcessorStatus last = status;
        return context.stores().committer().problem().map(last::withError).orElse(last);
    }

    private ProcessorStatus newStatus() {
        return new ProcessorStatus(
                streams.generation(), isPaused(), claims.status(), backoff.error(), streams.stopped());
    }

    /** Starts the next step immediately, because there may be new work. */
    public void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }

    /** Returns whether this processor reads a stream. */
    public boolean reads(String stream) {
        return streams.reads(stream);
    }

    /**
     * Returns the components, in the order in which they get an event, and then those that this version lacks or has
     * retired: they may have letters, but no handlers here.
     */
    public List<Component> components() {
        return registration.components().stream().map(BoundComponent::component).toList();
    }

    /**
     * Returns a processor for the letters that are parked for a component.
     *
     * @param component its current name or its first one
     */
    public SequencedDeadLetterProcessor deadLetterProcessor(String component) {
        return new ComponentReplays(context, replayRequests, bound(component).id());
    }

    /**
     * Returns the dead-letter queue of a component.
     *
     * @param component its current name or its first one
     */
    public SequencedDeadLetterQueue deadLetterQueue(String component) {
        return queue(bound(component));
    }

    /** Returns the queue of a component by its id. This version may lack the component. */
    private SequencedDeadLetterQueue queue(String id) {
        return queue(context.handlers().component(id));
    }

    private SequencedDeadLetterQueue queue(BoundComponent bound) {
        return new SequencedDeadLetterQueue(
                context.stores().letters(),
                bound.queueName(),
                context.processor(),
                bound.id(),
                bound.queue().effectiveLimits(),
                context.clock(),
                context.parking().notifier()::notifyListeners);
    }

    /**
     * Requires that a component can read a new payload of a parked event. Call it before an {@link Action.Kind#EDIT} is
     * staged.
     *
     * @param letter the parked letter; the type and revision of its event do not change
     * @param json the new payload
     * @throws PermanentException if the payload cannot be read or stored, with the reason
     */
    public void requireReadable(DeadLetter letter, String json) {
        context.handlers()
                .component(letter.sequence().component())
                .component()
                .requireReadable(
                        letter.message().withJson(json).payload(),
                        context.handlers().codec());
    }

    /**
     * Stages an action on letters of this processor. It runs at the replica that has claimed their segments, also if this
     * one dies right after. Idempotent by the action's id.
     */
    public Staging stage(Action action) {
        return replayRequests.stage(action);
    }

    /** Looks for staged actions at once, because another replica has staged one. */
    public void pollActions() {
        replayRequests.pollActions();
    }

    /** Returns the receipt of an action, once it is done, or as it is after the timeout. */
    public CompletableFuture<Receipt> awaitReceipt(String action, Duration timeout) {
        return replayRequests.await(action, timeout);
    }

    private BoundComponent bound(String component) {
        return registration.components().stream()
                .filter(bound -> bound.component().name().equals(component)
                        || bound.component().stableName().equals(component))
                .findFirst()
                .orElseThrow(() -> new PermanentException("processor " + context.processor() + " has no component "
                        + component + "; it has "
                        + registration.components().stream()
                                .map(bound -> bound.component().name())
                                .toList()));
    }

    /**
     * Splits a segment that no other replica owns: half of its sequences move to a new segment.
     *
     * @return the number of the new segment
     */
    public CompletableFuture<Integer> split(int segment) {
        return split(segment, null);
    }

    /** As {@link #split(int)}. Commits the settlement together with the split. */
    public CompletableFuture<Integer> split(int segment, @Nullable Settlement settlement) {
        return operate(() -> new SplitOrMergeOperation(context, claims, segment, true, deadline(), settlement));
    }

    /**
     * Merges a segment with its sibling, if no other replica owns one of them. Both are brought to the same position
     * first.
     *
     * @return the number of the remaining segment
     */
    public CompletableFuture<Integer> merge(int segment) {
        return merge(segment, null);
    }

    /** As {@link #merge(int)}. Commits the settlement together with the merge. */
    public CompletableFuture<Integer> merge(int segment, @Nullable Settlement settlement) {
        return operate(() -> new SplitOrMergeOperation(context, claims, segment, false, deadline(), settlement));
    }

    /** Releases a segment of this replica, and does not claim it again for the duration of a lease. */
    public CompletableFuture<@Nullable Void> release(int segment) {
        return release(segment, null);
    }

    /** As {@link #release(int)}. Commits the settlement together with the release. */
    public CompletableFuture<@Nullable Void> release(int segment, @Nullable Settlement settlement) {
        return operate(() -> new ReleaseOperation(context, claims, segment, deadline(), settlement));
    }

    /** Stops the processor on all replicas until {@link #resume}. Running handlers finish. */
    public void pause() {
        pause(null);
    }

    /** As {@link #pause()}. Commits the settlement together with the pause. */
    public void pause(@Nullable Settlement settlement) {
        context.stores().tokens().setPaused(context.processor(), true, settlement);
        wake();
    }

    public void resume() {
        resume(null);
    }

    /** As {@link #resume()}. Commits the settlement in the same transaction. */
    public void resume(@Nullable Settlement settlement) {
        context.stores().tokens().setPaused(context.processor(), false, settlement);
        wake();
    }

    /**
     * Handles all events again from a start, in a new generation. Letters of events that will be handled again are
     * removed.
     *
     * @return the new generation; fails if a component is not declared resettable
     */
    public CompletableFuture<Integer> reset(StartAt start) {
        return reset(start, null);
    }

    /**
     * As {@link #reset(StartAt)}. Commits the settlement together with the reset, and adds the removed letters to the
     * receipt.
     */
    public CompletableFuture<Integer> reset(StartAt start, @Nullable Settlement settlement) {
        Set<String> notResettable;
        try {
            notResettable = notResettable();
        } catch (HoldfastException e) {
            return CompletableFuture.failedFuture(e); // the store does not respond
        }
        if (!notResettable.isEmpty()) {
            return CompletableFuture.failedFuture(new PermanentException("processor " + context.processor()
                    + " cannot be reset: " + notResettable + " are not declared resettable, handling events again could"
                    + " repeat their effects"));
        }
        return operate(() -> streams.reset(start, deadline(), claims::abandon, settlement));
    }

    /** Returns the components of this and of all other registered versions that cannot be reset. */
    private Set<String> notResettable() {
        Set<String> ids = new TreeSet<>();
        Stream.of(context.definition(), context.stores().tokens().findDefinition(context.processor()))
                .forEach(definition -> definition.components().forEach((id, component) -> {
                    if (!component.resettable()) {
                        ids.add(id);
                    }
                }));
        return ids;
    }

    /**
     * Accepts, for an operator, that a restored source has lost events of a stream that this processor had read. The
     * processor resumes at the newest position up to which the source is known to be unchanged. The effects of the lost
     * events stay.
     *
     * @return what was accepted, once it is durable; fails if there is nothing to accept, or if that position is unknown
     */
    public CompletableFuture<AcceptedRestore> acceptRestore(String stream) {
        return acceptRestore(stream, null, null);
    }

    /**
     * As {@link #acceptRestore(String)}, for a source that cannot tell what it has lost.
     *
     * @param position the position up to which the source's log is unchanged. The processor skips what is new at or
     *     below it, and handles again what it has handled above it.
     */
    public CompletableFuture<AcceptedRestore> acceptRestore(String stream, long position) {
        return acceptRestore(stream, position, null);
    }

    /**
     * As {@link #acceptRestore(String)}, or with a position as {@link #acceptRestore(String, long)}. Commits the settlement
     * together with the acceptance.
     */
    public CompletableFuture<AcceptedRestore> acceptRestore(
            String stream, @Nullable Long position, @Nullable Settlement settlement) {
        if (!streams.reads(stream)) {
            return CompletableFuture.failedFuture(
                    new PermanentException("processor " + context.processor() + " does not read stream " + stream));
        }
        return operate(() -> streams.acceptRestore(stream, position, deadline(), claims::abandon, settlement));
    }

    /** Loads all tokens again and reads from their positions, because the store has lost its newest commits. */
    public void reload() {
        reloadRequested = true;
        wake();
    }

    private void reloadIfRequested() {
        if (reloadRequested) {
            reloadRequested = false;
            streams.reopen();
            claims.abandon();
        }
    }

    private void rejectOperations() {
        for (Operation next = operations.poll(); next != null; next = operations.poll()) {
            next.result()
                    .completeExceptionally(new RetryableException(
                            "processor " + context.processor() + " is closed; the operation was not completed"));
        }
    }

    private MonotonicTime deadline() {
        return context.time().plus(OPERATION_TIMEOUT);
    }

    /** Queues an operation. It is created when it reaches the front of the queue, on the coordinator's thread. */
    private <T extends @Nullable Object> CompletableFuture<T> operate(Supplier<? extends Operation> operation) {
        DeferredOperation<T> deferred = new DeferredOperation<>(operation);
        operations.add(deferred);
        if (released) {
            rejectOperations(); // no further step would complete them
        }
        wake();
        return deferred.result();
    }

    /**
     * Stops reading and drains, so that the next owner has nothing to handle again. Meant for a shutdown: the processor
     * does not resume.
     *
     * @return completes when everything is committed
     */
    public CompletableFuture<@Nullable Void> drain() {
        closing = true;
        wake();
        return drained;
    }

    /**
     * Releases all segments. Call it when no step is running. Events that were handled and not committed are handled
     * again.
     */
    public void release() {
        released = true;
        rejectOperations();
        replayRequests.close();
        claims.release();
        status = newStatus();
    }
}

package io.holdfast.processing;

import io.holdfast.action.Settlement;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.processing.operation.AcceptRestoreOperation;
import io.holdfast.processing.operation.Operation;
import io.holdfast.processing.operation.ResetOperation;
import io.holdfast.processing.segment.ProcessingBackoff;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.processing.stream.RecentPositions;
import io.holdfast.processing.stream.StoppedStreams;
import io.holdfast.processing.stream.StreamFeed;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Token;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.wire.source.StreamSources;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a processor in its current generation, and its starts in those that it has not read yet. Not
 * thread-safe.
 */
final class ProcessorStreams {

    private final ProcessorContext context;
    private final Map<String, StreamSources> sources;
    private final StartAt start;
    private final ProcessingBackoff backoff;
    private final StoppedStreams stopped;
    private final Map<String, StreamSource> live = new HashMap<>();
    private final Map<String, RecentPositions> recent = new HashMap<>();
    private final Map<String, StreamFeed> feeds = new LinkedHashMap<>();
    private final Set<String> unresolved = new HashSet<>();
    private SequencingPolicy policy;
    private volatile int generation = 1;
    private boolean waiting;
    private boolean hasSegments;
    private Map<String, Long> heads = Map.of();

    ProcessorStreams(
            ProcessorContext context,
            Map<String, StreamSources> sources,
            StartAt start,
            SequencingPolicy policy,
            ProcessingBackoff backoff) {
        this.context = context;
        this.sources = sources;
        this.start = start;
        this.policy = policy;
        this.backoff = backoff;
        this.stopped = new StoppedStreams(context.service() + "/" + context.processor(), context.clock());
        open();
    }

    int generation() {
        return generation;
    }

    Map<String, StreamFeed> feeds() {
        return feeds;
    }

    boolean reads(String stream) {
        return sources.containsKey(stream);
    }

    Map<String, String> stopped() {
        return stopped.reasons();
    }

    /** Returns the newest known position of each stream. */
    Map<String, Long> heads() {
        return heads;
    }

    void beginStep(Collection<SegmentWorker> workers) {
        if (workers.isEmpty()) {
            stopped.clear(); // other replicas read the streams, and report it
        }
        feeds.forEach((stream, feed) -> feed.beginStep(workers.stream()
                .flatMap(worker -> Stream.ofNullable(worker.readPositions().get(stream)))
                .toList()));
    }

    /** Returns whether this step has read anything. */
    boolean hasMore() {
        return feeds.values().stream().anyMatch(StreamFeed::hasGrown);
    }

    /** Stops reading for a segment that this replica no longer works on. */
    void removeSegment(int segment) {
        feeds.values().forEach(feed -> feed.removeSegment(segment));
    }

    /** Assigns events to segments by another policy from now on. */
    void usePolicy(SequencingPolicy other) {
        if (!other.equals(policy)) {
            policy = other;
            open();
        }
    }

    /** @return whether the generation has changed */
    boolean refresh(List<ClaimedToken> layout, Collection<SegmentWorker> workers) {
        int newest = layout.stream()
                .mapToInt(claimed -> claimed.token().setup().generation())
                .max()
                .orElse(generation);
        boolean changed = newest != generation;
        if (changed) {
            generation = newest;
            open();
        }
        hasSegments = !layout.isEmpty();
        layout.forEach(claimed -> addStreams(claimed.token(), workers));
        unresolved.clear();
        for (String stream : sources.keySet()) {
            boolean isKnown = !layout.isEmpty()
                    && layout.stream()
                            .allMatch(claimed -> claimed.token().positions().containsKey(stream));
            if (!isKnown) {
                unresolved.add(stream);
            }
        }
        if (unresolved.isEmpty()) {
            waiting = false;
            backoff.clearWaiting();
        }
        heads = heads(layout);
        return changed;
    }

    private Map<String, Long> heads(List<ClaimedToken> layout) {
        Map<String, Long> newest = new HashMap<>();
        live.forEach((stream, source) -> source.head(stream).ifPresent(head -> newest.put(stream, head)));
        layout.forEach(claimed -> claimed.token()
                .positions()
                .forEach((stream, position) -> newest.merge(stream, position.position(), Math::max)));
        return newest;
    }

    boolean hasUnresolved() {
        return !unresolved.isEmpty();
    }

    boolean isWaiting() {
        return waiting;
    }

    /**
     * Resolves where the processor starts in streams that it has never read: once, for all segments. A stream whose
     * source does not respond waits, and the others continue without it.
     *
     * @return whether something was stored
     */
    boolean resolveStarts(Collection<SegmentWorker> workers) {
        Map<String, StreamPosition> resolved = new HashMap<>();
        waiting = false;
        for (String stream : sources.keySet()) {
            if (unresolved.contains(stream)) {
                source(stream)
                        .start(stream, start)
                        .ifPresentOrElse(position -> resolved.put(stream, position), () -> waitForSource(stream));
            }
        }
        if (!waiting) {
            backoff.clearWaiting();
        }
        if (resolved.isEmpty() && hasSegments) {
            return false;
        }
        hasSegments = true;
        List<Token> tokens = context.stores()
                .tokens()
                .initialize(context.processor(), context.settings().segments(), resolved);
        tokens.forEach(token -> addStreams(token, workers));
        unresolved.removeAll(resolved.keySet());
        return true;
    }

    private static void addStreams(Token token, Collection<SegmentWorker> workers) {
        workers.stream()
                .filter(worker -> worker.number() == token.segment().number())
                .forEach(worker -> token.positions().forEach(worker::addStream));
    }

    private void waitForSource(String stream) {
        if (!waiting) {
            backoff.reportWaiting("the source of stream " + stream + " does not respond yet; retrying");
        }
        waiting = true;
    }

    Operation reset(StartAt from, MonotonicTime deadline, Runnable onComplete, @Nullable Settlement settlement) {
        return new ResetOperation(
                context,
                generation,
                sources.keySet(),
                (stream, next) -> withWakeUp(sources(stream).live(next)),
                from,
                deadline,
                onComplete,
                settlement);
    }

    Operation acceptRestore(
            String stream,
            @Nullable Long position,
            MonotonicTime deadline,
            Runnable onComplete,
            @Nullable Settlement settlement) {
        Runnable resume = () -> {
            stopped.resume(stream);
            open();
            onComplete.run();
        };
        return new AcceptRestoreOperation(
                context, stream, source(stream), recent(stream), position, deadline, resume, settlement);
    }

    /** Opens all streams again and drops what was read, because the positions of the segments have changed. */
    void reopen() {
        open();
    }

    private void open() {
        live.clear();
        feeds.clear();
        stopped.clear();
        sources.forEach((stream, opening) -> {
            StreamSource source = withWakeUp(opening.live(generation));
            live.put(stream, source);
            feeds.put(
                    stream,
                    new StreamFeed(
                            stream,
                            source,
                            () -> withWakeUp(opening.catchUp(generation)),
                            policy,
                            stopped,
                            recent(stream),
                            MonotonicClock.of(context.clock()),
                            context.settings().batch()));
        });
    }

    private RecentPositions recent(String stream) {
        return recent.computeIfAbsent(stream, unknown -> new RecentPositions());
    }

    private StreamSource withWakeUp(StreamSource source) {
        source.onResponse(context.wake());
        return source;
    }

    private StreamSource source(String stream) {
        return Objects.requireNonNull(live.get(stream));
    }

    private StreamSources sources(String stream) {
        return Objects.requireNonNull(sources.get(stream));
    }
}

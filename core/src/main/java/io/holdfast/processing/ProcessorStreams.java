package io.holdfast.processing;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Token;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamSource;
import io.holdfast.wire.StreamSources;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The streams of a processor in its generation, and where it starts in those that it has not read yet. For one thread. */
final class ProcessorStreams {

    private final ProcessorContext context;
    private final Map<String, StreamSources> sources;
    private final StartAt start;
    private final ProcessingBackoff backoff;
    private final StoppedStreams stopped;
    private final Map<String, StreamSource> live = new HashMap<>();
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
            ProcessingBackoff hold) {
        this.context = context;
        this.sources = sources;
        this.start = start;
        this.policy = policy;
        this.backoff = hold;
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

    /** The newest position that is known of each stream. */
    Map<String, Long> heads() {
        return heads;
    }

    /** A new step begins. */
    void beginStep(Collection<SegmentWorker> works) {
        feeds.forEach((stream, feed) -> feed.beginStep(works.stream()
                .flatMap(work -> Stream.ofNullable(work.readPositions().get(stream)))
                .toList()));
    }

    /** Whether something was read in this step. */
    boolean hasMore() {
        return feeds.values().stream().anyMatch(StreamFeed::hasGrown);
    }

    /** A segment is not worked on here any more. */
    void removeSegment(int segment) {
        feeds.values().forEach(feed -> feed.removeSegment(segment));
    }

    /** Shares events out by another policy from now on. */
    void usePolicy(SequencingPolicy other) {
        if (!other.equals(policy)) {
            policy = other;
            open();
        }
    }

    /** @return whether the processor is in another generation than it was */
    boolean refresh(List<ClaimedToken> layout, Collection<SegmentWorker> works) {
        int newest = layout.stream()
                .mapToInt(held -> held.token().setup().generation())
                .max()
                .orElse(generation);
        boolean isAnother = newest != generation;
        if (isAnother) {
            generation = newest;
            open();
        }
        hasSegments = !layout.isEmpty();
        layout.forEach(held -> addStreams(held.token(), works));
        unresolved.clear();
        for (String stream : sources.keySet()) {
            boolean isKnown = !layout.isEmpty()
                    && layout.stream().allMatch(held -> held.token().positions().containsKey(stream));
            if (!isKnown) {
                unresolved.add(stream);
            }
        }
        if (unresolved.isEmpty()) {
            waiting = false;
            backoff.clearWaiting();
        }
        heads = heads(layout);
        return isAnother;
    }

    private Map<String, Long> heads(List<ClaimedToken> layout) {
        Map<String, Long> newest = new HashMap<>();
        live.forEach((stream, source) -> source.head(stream).ifPresent(head -> newest.put(stream, head)));
        layout.forEach(held -> held.token()
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
     * Resolves where it starts in streams that it has never read: once, for all segments. One whose source does not answer
     * waits, and the others go on without it.
     *
     * @return whether something was stored
     */
    boolean resolveStarts(Collection<SegmentWorker> works) {
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
        tokens.forEach(token -> addStreams(token, works));
        unresolved.removeAll(resolved.keySet());
        return true;
    }

    private static void addStreams(Token token, Collection<SegmentWorker> works) {
        works.stream().filter(work -> work.number() == token.segment().number()).forEach(work -> token.positions()
                .forEach(work::addStream));
    }

    private void waitForSource(String stream) {
        if (!waiting) {
            backoff.reportWaiting("the source of stream " + stream + " does not answer yet");
        }
        waiting = true;
    }

    Operation reset(StartAt from, Instant deadline, Runnable done) {
        return new ResetOperation(
                context,
                generation,
                sources.keySet(),
                (stream, next) -> withWakeUp(sources(stream).live(next)),
                from,
                deadline,
                done);
    }

    Operation acceptRestore(String stream, Instant deadline, Runnable done) {
        return new AcceptRestoreOperation(context, stream, source(stream), deadline, () -> {
            stopped.resume(stream);
            open();
            done.run();
        });
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
                            context.settings().batch()));
        });
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

package io.holdfast.processing.operation;

import io.holdfast.PermanentException;
import io.holdfast.action.Settlement;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.worker.MonotonicTime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Starts a new generation of a processor: registers it with the sources of its streams, which return where it starts,
 * and then moves all segments there in one commit.
 */
public final class ResetOperation implements Operation {

    private final ProcessorContext context;
    private final int generation;
    private final Map<String, StreamSource> sources;
    private final StartAt start;
    private final MonotonicTime deadline;
    private final Runnable onComplete;
    private final @Nullable Settlement settlement;
    private final Map<String, StreamPosition> positions = new HashMap<>();
    private final CompletableFuture<Integer> result = new CompletableFuture<>();

    /**
     * @param generation the current generation
     * @param sources the source of a stream, in a generation
     * @param settlement committed together with the reset, with the new generation as its detail
     */
    public ResetOperation(
            ProcessorContext context,
            int generation,
            Iterable<String> streams,
            BiFunction<String, Integer, StreamSource> sources,
            StartAt start,
            MonotonicTime deadline,
            Runnable onComplete,
            @Nullable Settlement settlement) {
        this.context = context;
        this.generation = generation;
        this.sources = new HashMap<>();
        streams.forEach(stream -> this.sources.put(stream, sources.apply(stream, generation + 1)));
        this.start = start;
        this.deadline = deadline;
        this.onComplete = onComplete;
        this.settlement = settlement;
    }

    /**
     * A source stores the start that it has returned for the new generation, so a reset that got one is always
     * completed.
     */
    @Override
    public MonotonicTime deadline() {
        return positions.isEmpty() ? deadline : MonotonicTime.MAX;
    }

    @Override
    public CompletableFuture<Integer> result() {
        return result;
    }

    @Override
    public void advance() {
        sources.forEach((stream, source) -> {
            if (!positions.containsKey(stream)) {
                source.start(stream, start).ifPresent(position -> positions.put(stream, position));
            }
        });
        if (positions.size() < sources.size()) {
            return; // the next step asks again
        }
        if (context.stores().tokens().reset(context.processor(), generation, positions, settlement())) {
            result.complete(generation + 1);
        } else {
            result.completeExceptionally(new PermanentException("processor " + context.processor()
                    + " is no longer in generation " + generation + "; it was reset concurrently"));
        }
        onComplete.run();
    }

    private @Nullable Settlement settlement() {
        return settlement == null ? null : settlement.withDetail("generation " + (generation + 1));
    }

    @Override
    public void finish() {}
}

package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamSource;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Begins a new generation of a processor: asks the sources of its streams, under the name of the new generation, where that
 * starts, and then moves all segments there in one commit.
 */
final class ResetOperation implements Operation {

    private final ProcessorContext context;
    private final int generation;
    private final Map<String, StreamSource> sources;
    private final StartAt start;
    private final Instant deadline;
    private final Runnable onComplete;
    private final Map<String, StreamPosition> positions = new HashMap<>();
    private final CompletableFuture<Integer> result = new CompletableFuture<>();

    /**
     * @param generation the one that ends
     * @param sources of a stream in a generation
     */
    ResetOperation(
            ProcessorContext context,
            int generation,
            Iterable<String> streams,
            BiFunction<String, Integer, StreamSource> sources,
            StartAt start,
            Instant deadline,
            Runnable done) {
        this.context = context;
        this.generation = generation;
        this.sources = new HashMap<>();
        streams.forEach(stream -> this.sources.put(stream, sources.apply(stream, generation + 1)));
        this.start = start;
        this.deadline = deadline;
        this.onComplete = done;
    }

    /** A source that has answered keeps its answer for this generation, so what was begun is brought to an end. */
    @Override
    public Instant deadline() {
        return positions.isEmpty() ? deadline : Instant.MAX;
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
            return; // asked again with the next step
        }
        if (context.stores().tokens().reset(context.processor(), generation, positions)) {
            result.complete(generation + 1);
        } else {
            result.completeExceptionally(new PermanentException("processor " + context.processor()
                    + " is not in generation " + generation + " any more; somebody else has reset it"));
        }
        onComplete.run();
    }

    @Override
    public void finish() {}
}

package io.holdfast.processing.operation;

import io.holdfast.PermanentException;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.token.ClaimedToken;
import io.holdfast.wire.StreamBrokenException;
import io.holdfast.wire.StreamSource;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Accepts that a source was restored from a backup: queries the position at which the source resumes, and moves every
 * segment that had read further back to it.
 */
public final class AcceptRestoreOperation implements Operation {

    private final ProcessorContext context;
    private final String stream;
    private final StreamSource source;
    private final Instant deadline;
    private final Runnable onComplete;
    private final CompletableFuture<AcceptedRestore> result = new CompletableFuture<>();

    public AcceptRestoreOperation(
            ProcessorContext context, String stream, StreamSource source, Instant deadline, Runnable onComplete) {
        this.context = context;
        this.stream = stream;
        this.source = source;
        this.deadline = deadline;
        this.onComplete = onComplete;
    }

    @Override
    public Instant deadline() {
        return deadline;
    }

    @Override
    public CompletableFuture<AcceptedRestore> result() {
        return result;
    }

    @Override
    public void advance() {
        List<ClaimedToken> segments = context.stores().tokens().findAll(context.processor());
        StreamPosition furthest = segments.stream()
                .flatMap(
                        claimed -> Stream.ofNullable(claimed.token().positions().get(stream)))
                .max(Comparator.comparingLong(StreamPosition::position))
                .orElse(null);
        if (furthest == null) {
            fail("stream " + stream + " has not been read yet; there is nothing to accept");
            return;
        }
        try {
            source.positionAfterRestore(stream, furthest).ifPresent(resumePosition -> accept(furthest, resumePosition));
        } catch (StreamBrokenException e) {
            result.completeExceptionally(e);
        }
    }

    private void accept(StreamPosition previousPosition, StreamPosition resumePosition) {
        if (resumePosition.position() >= previousPosition.position()) {
            fail("the source of stream " + stream + " has lost no event up to position " + previousPosition.position()
                    + "; there is nothing to accept");
            return;
        }
        context.stores().tokens().acceptRestore(context.processor(), stream, resumePosition);
        result.complete(new AcceptedRestore(stream, previousPosition, resumePosition));
        onComplete.run();
    }

    private void fail(String message) {
        result.completeExceptionally(new PermanentException(message));
    }

    @Override
    public void finish() {}
}

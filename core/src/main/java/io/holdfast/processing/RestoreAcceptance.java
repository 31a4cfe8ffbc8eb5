package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StreamBrokenException;
import io.holdfast.wire.StreamSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One wish to go on with a restored source, and its answer. */
final class RestoreAcceptance {

    private final String stream;
    private final CompletableFuture<AcceptedRestore> answer = new CompletableFuture<>();
    private @Nullable AcceptedRestore offered;

    RestoreAcceptance(String stream) {
        this.stream = stream;
    }

    String stream() {
        return stream;
    }

    CompletableFuture<AcceptedRestore> answer() {
        return answer;
    }

    /**
     * Asks the source what there is to accept.
     *
     * @return whether the wish has been answered with a refusal
     */
    boolean isAnsweredWithout(StreamSource source, @Nullable StreamPosition stoodAt) {
        offered = null; // what was offered before may be accepted by now, and the reader further on
        if (stoodAt == null) {
            fail("stream " + stream + " has not been read yet; there is nothing to accept");
            return true;
        }
        try {
            source.restored(stream, stoodAt).ifPresent(goesOnFrom -> offer(stoodAt, goesOnFrom));
        } catch (StreamBrokenException e) {
            answer.completeExceptionally(e);
        }
        return answer.isDone();
    }

    Optional<StreamPosition> goesOnFrom() {
        return Optional.ofNullable(offered).map(AcceptedRestore::goesOnFrom);
    }

    private void offer(StreamPosition stoodAt, StreamPosition goesOnFrom) {
        if (goesOnFrom.position() >= stoodAt.position()) {
            fail("the source of stream " + stream + " has forgotten nothing up to position " + stoodAt.position()
                    + "; there is nothing to accept");
        } else {
            offered = new AcceptedRestore(stream, stoodAt, goesOnFrom);
        }
    }

    void complete() {
        answer.complete(Objects.requireNonNull(offered));
    }

    void fail(String message) {
        answer.completeExceptionally(new PermanentException(message));
    }
}

package io.holdfast.wire;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that is asked over the wire, and asked again until there is an answer, without waiting for it. */
final class RepeatedRequest<Q, A> {

    private static final Logger log = LoggerFactory.getLogger(RepeatedRequest.class);

    private final Function<Q, CompletableFuture<A>> transport;
    private final Runnable onResponse;
    private @Nullable Q requested;
    private @Nullable CompletableFuture<A> response;

    /** @param onAnswer run when there is an answer; after a failure it is asked again with the next call */
    RepeatedRequest(Function<Q, CompletableFuture<A>> way, Runnable onAnswer) {
        this.transport = way;
        this.onResponse = onAnswer;
    }

    /** The answer if it is here; else asks for it, again after a failure. */
    Optional<A> poll(Q question) {
        CompletableFuture<A> current = response;
        if (current == null || !question.equals(requested)) {
            current = transport.apply(question);
            requested = question;
            response = current;
        }
        if (!current.isDone()) {
            signal(current);
            return Optional.empty();
        }
        response = null;
        try {
            return Optional.of(current.join());
        } catch (CompletionException | CancellationException e) {
            log.debug("No answer to {} yet: {}", question, e.getMessage());
            return Optional.empty();
        }
    }

    /** Asks what will be asked next, so that its answer is here by then. */
    void prefetch(Q question) {
        requested = question;
        response = transport.apply(question);
    }

    private void signal(CompletableFuture<A> current) {
        var unused = current.thenRun(onResponse);
    }
}

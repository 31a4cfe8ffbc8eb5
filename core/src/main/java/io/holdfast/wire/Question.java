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
final class Question<Q, A> {

    private static final Logger log = LoggerFactory.getLogger(Question.class);

    private final Function<Q, CompletableFuture<A>> way;
    private final Runnable onAnswer;
    private @Nullable Q asked;
    private @Nullable CompletableFuture<A> answer;

    /** @param onAnswer run when there is an answer; after a failure it is asked again with the next call */
    Question(Function<Q, CompletableFuture<A>> way, Runnable onAnswer) {
        this.way = way;
        this.onAnswer = onAnswer;
    }

    /** The answer if it is here; else asks for it, again after a failure. */
    Optional<A> ask(Q question) {
        CompletableFuture<A> current = answer;
        if (current == null || !question.equals(asked)) {
            current = way.apply(question);
            asked = question;
            answer = current;
        }
        if (!current.isDone()) {
            signal(current);
            return Optional.empty();
        }
        answer = null;
        try {
            return Optional.of(current.join());
        } catch (CompletionException | CancellationException e) {
            log.debug("No answer to {} yet: {}", question, e.getMessage());
            return Optional.empty();
        }
    }

    /** Asks what will be asked next, so that its answer is here by then. */
    void askAhead(Q question) {
        asked = question;
        answer = way.apply(question);
    }

    private void signal(CompletableFuture<A> current) {
        var unused = current.thenRun(onAnswer);
    }
}

package io.holdfast.saga.tracking;

import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.event.EventIds;
import io.holdfast.wire.OperationClient;
import io.holdfast.wire.OperationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The question whether sagas have parked letters: asked by the service that tracks them, answered by every service from
 * its own store. Thread-safe.
 */
public final class LetterQuestion {

    /** The name of the operation. */
    public static final String OPERATION = "saga-letters";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<List<String>> IDS = new TypeReference<>() {};
    private static final TypeReference<Map<String, List<String>>> LETTERS = new TypeReference<>() {};
    /** Enough for an operator; one is enough to suspend a saga. */
    private static final int MOST_LETTERS = 5;

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final OperationClient client;

    public LetterQuestion(OperationClient client) {
        this.client = client;
    }

    /** Asks a service. The future fails if it does not answer. */
    CompletableFuture<Map<String, List<String>>> ask(String service, Collection<String> sagaIds, Instant now) {
        OperationRequest request =
                new OperationRequest(EventIds.random(now), service, OPERATION, JSON.writeValueAsString(sagaIds));
        return client.ask(request, TIMEOUT).thenApply(reply -> JSON.readValue(reply, LETTERS));
    }

    /** Answers the question. */
    public static String answer(OperationRequest request, DeadLetterStore letters) {
        return JSON.writeValueAsString(find(JSON.readValue(request.body(), IDS), letters));
    }

    /** Returns the letters of each saga that has some, as operators name them. */
    static Map<String, List<String>> find(Collection<String> sagaIds, DeadLetterStore store) {
        return find(sagaIds, store, (saga, letter) -> true);
    }

    /** @param matches receives the id of a saga and one of its letters */
    static Map<String, List<String>> find(
            Collection<String> sagaIds, DeadLetterStore store, BiPredicate<String, SagaLetter> matches) {
        Map<String, List<String>> found = new LinkedHashMap<>();
        store.findSagaLetters(sagaIds, MOST_LETTERS).forEach((saga, letters) -> {
            List<String> named = letters.letters().stream()
                    .filter(letter -> matches.test(saga, letter))
                    .map(LetterQuestion::describe)
                    .toList();
            if (!named.isEmpty()) {
                found.put(saga, named);
            }
        });
        return found;
    }

    /** Returns whether a service has named this letter. */
    static boolean isOf(String service, String letter) {
        return letter.startsWith(service + "/");
    }

    /** Starts with the id of the component, which starts with the name of its service. */
    private static String describe(SagaLetter letter) {
        return letter.id().sequence().component() + " " + letter.event() + " " + letter.state();
    }
}

package io.holdfast.memory;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The letters of one component by saga. Guarded by its owner's monitor. */
final class InMemorySagaIndex {

    private final Map<String, Map<LetterId, DeadLetter>> sagas = new HashMap<>();

    Collection<DeadLetter> find(String sagaId) {
        return sagas.getOrDefault(sagaId, Map.of()).values();
    }

    void put(DeadLetter letter) {
        sagaOf(letter).ifPresent(saga -> sagas.computeIfAbsent(saga, unknown -> new HashMap<>())
                .put(letter.id(), letter));
    }

    void remove(DeadLetter letter) {
        sagaOf(letter)
                .ifPresent(saga -> sagas.computeIfPresent(saga, (unused, letters) -> {
                    letters.remove(letter.id());
                    return letters.isEmpty() ? null : letters;
                }));
    }

    private static Optional<String> sagaOf(DeadLetter letter) {
        return letter.message().metadata().sagaId();
    }
}

package io.holdfast.saga.tracking;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which sagas have parked letters, as far as the participants have answered.
 *
 * @param letters by saga
 * @param silent the services that did not answer
 */
record ParkedSagas(Map<String, List<String>> letters, Set<String> silent) {

    List<String> of(String sagaId) {
        return letters.getOrDefault(sagaId, List.of());
    }
}

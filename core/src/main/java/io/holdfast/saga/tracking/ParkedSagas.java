package io.holdfast.saga.tracking;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaSuspension;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which sagas have parked letters, as far as the participants have answered.
 *
 * @param letters by saga
 * @param silent the services that did not answer
 */
record ParkedSagas(Map<String, List<String>> letters, Set<String> silent) {

    /** Returns the letters of a saga that were named now, together with the last answer of each silent service. */
    List<String> of(SagaState saga) {
        List<String> named = letters.getOrDefault(saga.sagaId(), List.of());
        return named.isEmpty()
                ? List.of()
                : Stream.concat(named.stream(), ofSilent(saga)).toList();
    }

    /** Returns whether a service that does not answer has named a letter of this saga before. */
    boolean lastAnswerStands(SagaState saga) {
        return ofSilent(saga).findAny().isPresent();
    }

    private Stream<String> ofSilent(SagaState saga) {
        SagaSuspension suspension =
                saga.deadline() == null ? null : saga.deadline().suspended();
        return suspension == null
                ? Stream.of()
                : suspension.letters().stream()
                        .filter(letter -> silent.stream().anyMatch(service -> LetterQuestion.isOf(service, letter)));
    }
}

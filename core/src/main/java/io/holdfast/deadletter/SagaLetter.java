package io.holdfast.deadletter;

import java.time.Instant;
import java.util.UUID;

/**
 * Names a parked letter of a saga, without its content.
 *
 * @param event the id of the event
 * @param consumer the name of the processor
 * @param state the state of the letter's sequence
 * @param isFirst whether the letter is the first of its sequence; otherwise it waits for the letters before it, which may
 *     belong to other sagas
 */
public record SagaLetter(
        LetterId id, UUID event, String consumer, SequenceState state, boolean isFirst, Instant enqueuedAt) {

    public static SagaLetter of(DeadLetter letter, ParkedSequence sequence) {
        return new SagaLetter(
                letter.id(),
                letter.message().id(),
                sequence.consumer(),
                sequence.state(),
                letter.number() == sequence.first(),
                letter.enqueuedAt());
    }
}

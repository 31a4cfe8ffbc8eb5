package io.holdfast.deadletter;

import java.util.List;

/**
 * The parked letters of one saga.
 *
 * @param letters PENDING ones first, then the others; each group by age, oldest first. Limited by the caller, so there may
 *     be fewer than {@code count}
 * @param count the number of all letters of the saga
 */
public record SagaLetters(List<SagaLetter> letters, int count) {

    public SagaLetters {
        letters = List.copyOf(letters);
    }
}

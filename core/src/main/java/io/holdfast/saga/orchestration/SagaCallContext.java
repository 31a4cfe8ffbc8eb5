package io.holdfast.saga.orchestration;

/**
 * What a call needs to know apart from the data.
 *
 * @param sagaId the saga that calls
 * @param idempotencyKey the same for all attempts of this call, so that the other system can deduplicate it
 */
public record SagaCallContext(String sagaId, String idempotencyKey) {}

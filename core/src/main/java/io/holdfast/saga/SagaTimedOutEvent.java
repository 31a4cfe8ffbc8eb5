package io.holdfast.saga;

import java.time.Instant;

/**
 * A saga has timed out. Published inside the service after the commit; not an event of a stream.
 *
 * @param key the aggregate key of step 0
 * @param reason what the saga was waiting for
 * @param compensating whether compensation has begun; otherwise the saga waits for an operator
 */
public record SagaTimedOutEvent(
        String sagaId, String sagaType, String key, Instant timedOutAt, String reason, boolean compensating) {}

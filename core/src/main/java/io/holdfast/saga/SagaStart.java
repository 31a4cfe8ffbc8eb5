package io.holdfast.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a saga started.
 *
 * @param key the aggregate key of step 0, for example the order's id
 * @param correlationId the id that all events of the conversation share, or null
 * @param at when step 0 was done
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SagaStart(String key, @Nullable String correlationId, Instant at) {}

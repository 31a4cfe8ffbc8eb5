package io.holdfast.admin.breaker;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker. Each replica has its own.
 *
 * @param failureRate in percent; null until there are enough calls
 * @param slowCallRate in percent; null until there are enough calls
 * @param calls the number of calls that the rates are computed from
 * @param failedCalls how many of them failed
 * @param rejectedCalls how many calls were rejected since the breaker was last closed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BreakerDetails(
        String service,
        String replica,
        String name,
        String state,
        @Nullable Float failureRate,
        @Nullable Float slowCallRate,
        int calls,
        int failedCalls,
        long rejectedCalls) {}

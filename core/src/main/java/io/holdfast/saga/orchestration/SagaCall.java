package io.holdfast.saga.orchestration;

import org.jspecify.annotations.Nullable;

/**
 * Calls another system on behalf of a saga.
 *
 * @param <D> the data of the saga
 * @param <R> the result
 */
@FunctionalInterface
public interface SagaCall<D, R> {

    /**
     * @param data the data of the saga when it reached the step
     * @return the result of the call
     */
    @Nullable
    R call(D data, SagaCallContext context) throws Exception;
}

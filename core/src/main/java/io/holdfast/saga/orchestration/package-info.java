/**
 * Orchestrated sagas: a {@link io.holdfast.saga.orchestration.SagaDefinition} lists the steps, and the
 * {@link io.holdfast.saga.orchestration.SagaOrchestrator} of one service starts and runs them. A step is a commit unit, and
 * a retry is a parked letter; the row of the saga is all that is stored in addition.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.saga.orchestration;

import org.jspecify.annotations.NullMarked;

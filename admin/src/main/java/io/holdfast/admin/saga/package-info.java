/**
 * Finds and inspects the sagas that a service tracks: {@link io.holdfast.admin.saga.SagaOperations}.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.admin.saga;

import org.jspecify.annotations.NullMarked;

/**
 * Sagas: the declaration of choreographed sagas, and the facts from which the status of a saga follows. All types are
 * values or pure functions, except the {@link io.holdfast.saga.CompensationRegistry} and its declarations.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.saga;

import org.jspecify.annotations.NullMarked;

/**
 * What users write to handle events: {@link io.holdfast.handling.Component components} with handlers or
 * {@link io.holdfast.handling.EventHandler} methods, {@link io.holdfast.handling.Projection projections}, and the
 * {@link io.holdfast.handling.SequencingPolicy} that keeps events in order.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.handling;

import org.jspecify.annotations.NullMarked;

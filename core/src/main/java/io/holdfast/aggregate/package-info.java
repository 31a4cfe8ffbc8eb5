/**
 * Aggregates as pure functions: {@link io.holdfast.aggregate.AggregateType} folds events into a state, a
 * {@link io.holdfast.aggregate.Decision} reads states and appends events.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.aggregate;

import org.jspecify.annotations.NullMarked;

/**
 * Measures how long sagas await each of their events, and shares what the replicas have measured in the view
 * {@code saga-statistics}. What follows from it is a value for users: {@link io.holdfast.saga.UsualDurations}.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.saga.statistics;

import org.jspecify.annotations.NullMarked;

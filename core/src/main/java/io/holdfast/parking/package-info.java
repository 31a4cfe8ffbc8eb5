/**
 * Decides what becomes of a failure (retry, hold, park for an operator) and tracks the parked sequences of a segment.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.parking;

import org.jspecify.annotations.NullMarked;

/**
 * Replays of parked sequences that callers request: one, some, or all, on this replica or on the segment's owner.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.processing.replay;

import org.jspecify.annotations.NullMarked;

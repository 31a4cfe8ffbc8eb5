/**
 * Tracks choreographed sagas in the service of step 0: records facts, judges deadlines, and measures.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.saga.tracking;

import org.jspecify.annotations.NullMarked;

/**
 * Reads the streams of a processor once for all of its segments, and assigns events to sequences.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.processing.stream;

import org.jspecify.annotations.NullMarked;

/**
 * The meters of processors and dead-letter queues, and the notifications of their changes.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.processing.metrics;

import org.jspecify.annotations.NullMarked;

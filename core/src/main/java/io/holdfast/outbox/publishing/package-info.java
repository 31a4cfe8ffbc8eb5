/**
 * Copies committed events to the wire, in order of position and under a lease; announces the service and its positions;
 * removes entries that every reader has passed.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.outbox.publishing;

import org.jspecify.annotations.NullMarked;

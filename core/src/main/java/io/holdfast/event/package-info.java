/**
 * Events, their ids and payloads, and the append-only log that stores them.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.event;

import org.jspecify.annotations.NullMarked;

/** Events, their ids and payloads, and the append-only log that stores them. */
@NullMarked
package io.holdfast.event;

import org.jspecify.annotations.NullMarked;

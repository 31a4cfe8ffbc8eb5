/** Contract kits of the sequenced dead-letter queue: its store, its limits, and the engine that parks and replays. */
@NullMarked
package io.holdfast.tck.deadletter;

import org.jspecify.annotations.NullMarked;

/**
 * The wire between services on Hazelcast: one ringbuffer per stream, topics for everything else. It uses only
 * operations of a stock member, and records that need no classes there. The entry point is
 * {@link io.holdfast.hazelcast.HazelcastWire}.
 */
@NullMarked
package io.holdfast.hazelcast;

import org.jspecify.annotations.NullMarked;

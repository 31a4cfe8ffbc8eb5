/**
 * The wire between services on Hazelcast: a ring buffer per stream, topics for everything else. Only operations that a
 * stock member has, and records that need no class there. {@link io.holdfast.hazelcast.HazelcastWire} is the entry.
 */
@NullMarked
package io.holdfast.hazelcast;

import org.jspecify.annotations.NullMarked;

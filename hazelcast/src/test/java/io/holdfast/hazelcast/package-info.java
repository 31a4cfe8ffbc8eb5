/** Tests of the wire on real Hazelcast members. */
@NullMarked
package io.holdfast.hazelcast;

import org.jspecify.annotations.NullMarked;

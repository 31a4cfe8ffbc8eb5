/** The contract kit of the wire between services. */
@NullMarked
package io.holdfast.tck.wire;

import org.jspecify.annotations.NullMarked;

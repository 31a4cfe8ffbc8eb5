/** What a wire forgets, repeats or forges never reaches a consumer as a gap. */
@NullMarked
package io.holdfast.wire;

import org.jspecify.annotations.NullMarked;

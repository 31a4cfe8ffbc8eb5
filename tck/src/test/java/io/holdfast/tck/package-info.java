/** Tests of the kits themselves: all are listed, and the guard reports a kit without a run. */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;

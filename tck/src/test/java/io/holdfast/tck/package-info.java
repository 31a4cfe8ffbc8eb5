/** The kits are all listed, and the guard that finds a kit which nobody runs can fail. */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;

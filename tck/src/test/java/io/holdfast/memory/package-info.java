/** The in-memory adapters pass every kit. */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;

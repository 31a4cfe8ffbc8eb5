/** Runs every kit against the in-memory adapters. */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;

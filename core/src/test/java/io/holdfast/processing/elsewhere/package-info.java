/** A package other than that of the handlers. */
@NullMarked
package io.holdfast.processing.elsewhere;

import org.jspecify.annotations.NullMarked;

/** A package other than that of the handlers. */
@NullMarked
package io.holdfast.handling.otherpackage;

import org.jspecify.annotations.NullMarked;

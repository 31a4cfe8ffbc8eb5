/** Rules for the structure and the style of the code. */
@NullMarked
package io.holdfast.architecture;

import org.jspecify.annotations.NullMarked;

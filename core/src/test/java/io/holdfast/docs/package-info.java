/** The code that the documentation shows. */
@NullMarked
package io.holdfast.docs;

import org.jspecify.annotations.NullMarked;

/** Tests that compare the documentation with the code. */
@NullMarked
package io.holdfast.docs;

import org.jspecify.annotations.NullMarked;

/** Tests whose code and output the documentation quotes. */
@NullMarked
package io.holdfast.docs;

import org.jspecify.annotations.NullMarked;

/** What the documentation says is so. */
@NullMarked
package io.holdfast.docs;

import org.jspecify.annotations.NullMarked;

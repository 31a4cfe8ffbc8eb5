/** The root of Holdfast's exceptions, and its retryable and permanent branches. */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;

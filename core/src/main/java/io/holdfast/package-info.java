/**
 * The errors that every part of Holdfast speaks in.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;

/**
 * Does what is due: fires deadlines, under one lease per service.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.deadline.firing;

import org.jspecify.annotations.NullMarked;

/**
 * Operations on a running processor: split, merge, release, reset, accept a restore.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.processing.operation;

import org.jspecify.annotations.NullMarked;

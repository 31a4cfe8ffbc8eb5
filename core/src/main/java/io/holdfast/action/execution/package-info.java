/**
 * Finds what is staged, runs operations, and waits for receipts.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.action.execution;

import org.jspecify.annotations.NullMarked;

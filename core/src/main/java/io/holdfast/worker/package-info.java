/**
 * The engine's threads: named, woken by a signal, stopped by closing, and never interrupted. The clock and the backoff
 * that they wait by.
 *
 * <p><b>Audience:</b> adapters.
 */
@NullMarked
package io.holdfast.worker;

import org.jspecify.annotations.NullMarked;

/**
 * The engine's threads: named, woken by a signal, stopped by closing, and never interrupted. The clock and the backoff
 * that they wait by, and the lease of work that one replica does for all.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.worker;

import org.jspecify.annotations.NullMarked;

/**
 * Folds events into the current state of an aggregate, and caches it. Snapshots shorten what is read.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.aggregate.state;

import org.jspecify.annotations.NullMarked;

/**
 * The port of the store that commits, {@link io.holdfast.commit.CommitStore}, and what an adapter needs to implement it:
 * what a unit writes, the checks that every store shares, and transactions of handlers.
 *
 * <p><b>Audience:</b> adapters.
 */
@NullMarked
package io.holdfast.commit;

import org.jspecify.annotations.NullMarked;

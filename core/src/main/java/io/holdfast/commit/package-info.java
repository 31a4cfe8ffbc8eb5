/**
 * Everything durable goes through here: the {@link io.holdfast.commit.Committer} takes the units that wait, decides
 * them in order on the newest state and writes all of them in one transaction.
 *
 * <p>Users meet {@link io.holdfast.commit.CommitUnit} and {@link io.holdfast.commit.UnitOutcome}; adapters implement
 * {@link io.holdfast.commit.CommitStore}.
 */
@NullMarked
package io.holdfast.commit;

import org.jspecify.annotations.NullMarked;

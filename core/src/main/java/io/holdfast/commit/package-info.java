/**
 * Group commit: the {@link io.holdfast.commit.Committer} decides all waiting units in order on the newest state and
 * writes them in one transaction. Every durable effect goes through it.
 *
 * <p>Applications use {@link io.holdfast.commit.CommitUnit} and {@link io.holdfast.commit.UnitOutcome}; adapters
 * implement {@link io.holdfast.commit.CommitStore}.
 *
 * <p><b>Audience:</b> adapters.
 */
@NullMarked
package io.holdfast.commit;

import org.jspecify.annotations.NullMarked;

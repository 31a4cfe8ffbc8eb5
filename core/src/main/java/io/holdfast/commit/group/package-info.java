/**
 * Group commit: the {@link io.holdfast.commit.group.Committer} decides all waiting units in order on the newest state and
 * writes them in one transaction of the {@link io.holdfast.commit.CommitStore}. Every durable effect goes through it.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.commit.group;

import org.jspecify.annotations.NullMarked;

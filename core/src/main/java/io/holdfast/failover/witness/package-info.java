/**
 * Witnesses what this process has seen of its log, compares the log with it, and starts a new epoch if the log has lost
 * its newest events.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.failover.witness;

import org.jspecify.annotations.NullMarked;

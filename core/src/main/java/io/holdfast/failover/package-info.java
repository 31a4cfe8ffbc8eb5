/**
 * Detects a log that has lost its newest events, because its database failed over to a standby without them or was
 * restored from a backup.
 *
 * <p><b>Audience:</b> adapters.
 */
@NullMarked
package io.holdfast.failover;

import org.jspecify.annotations.NullMarked;

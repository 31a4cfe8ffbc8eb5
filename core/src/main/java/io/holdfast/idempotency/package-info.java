/**
 * Idempotent execution of work that has no position in a stream (topic listeners, commands, application code), by check
 * and claim in two phases.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.idempotency;

import org.jspecify.annotations.NullMarked;

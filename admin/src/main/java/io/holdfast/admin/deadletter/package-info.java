/**
 * Finds, inspects, replays and discards the letters of a service:
 * {@link io.holdfast.admin.deadletter.DeadLetterOperations}.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.admin.deadletter;

import org.jspecify.annotations.NullMarked;

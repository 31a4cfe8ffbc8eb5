/**
 * Retry and circuit breaker for calls that application code makes to unreliable systems. Events that fail in a
 * processor are parked and retried by the processor instead; its attempts appear in the same metrics and log.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.resilience;

import org.jspecify.annotations.NullMarked;

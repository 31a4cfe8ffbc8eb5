/**
 * What the engine needs of circuit breakers and retries: it runs a handler in parts, and reports the outcome of the whole
 * attempt.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.resilience.breaker;

import org.jspecify.annotations.NullMarked;

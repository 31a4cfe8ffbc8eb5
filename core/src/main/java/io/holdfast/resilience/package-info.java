/**
 * Calls to what may be slow, down or flaky: retry inside, circuit breaker outside, by the name of the operation. For code
 * of services; events that fail in a processor are parked and tried again there.
 */
@NullMarked
package io.holdfast.resilience;

import org.jspecify.annotations.NullMarked;

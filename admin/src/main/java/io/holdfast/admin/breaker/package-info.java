/**
 * The circuit breakers of all replicas: {@link io.holdfast.admin.breaker.BreakerListing}.
 *
 * <p><b>Audience:</b> engine. Public for the REST API and for modules on top of it.
 */
@NullMarked
package io.holdfast.admin.breaker;

import org.jspecify.annotations.NullMarked;

/**
 * The REST API over {@link io.holdfast.admin}: reads parameters, calls one operation, returns its result. Errors are
 * problem details (RFC 9457).
 *
 * <p>There is no authentication yet: every client that reaches these endpoints can change what is parked. Restrict
 * access to operators.
 */
@NullMarked
package io.holdfast.admin.web;

import org.jspecify.annotations.NullMarked;

/**
 * The REST API over {@link io.holdfast.admin.deadletter}, {@link io.holdfast.admin.saga} and
 * {@link io.holdfast.admin.fault}: reads parameters, calls one operation, returns its result. Errors are problem details
 * (RFC 9457).
 *
 * <p>There is no authentication yet: every client that reaches these endpoints can change what is parked. Restrict
 * access to operators.
 *
 * <p><b>Audience:</b> engine. The auto-configuration is public so that applications can name it, to exclude it or to
 * order their own.
 */
@NullMarked
package io.holdfast.admin.web;

import org.jspecify.annotations.NullMarked;

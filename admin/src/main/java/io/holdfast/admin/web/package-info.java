/**
 * The REST API over {@link io.holdfast.admin}: reads parameters, calls one operation, says what came of it. Errors are problem
 * details (RFC 9457).
 *
 * <p>Nobody is asked who they are: whoever reaches these endpoints can change what is parked. Let only operators reach them.
 */
@NullMarked
package io.holdfast.admin.web;

import org.jspecify.annotations.NullMarked;

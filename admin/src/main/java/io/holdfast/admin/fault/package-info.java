/**
 * Makes components fail on purpose: {@link io.holdfast.admin.fault.FaultOperations}.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.admin.fault;

import org.jspecify.annotations.NullMarked;

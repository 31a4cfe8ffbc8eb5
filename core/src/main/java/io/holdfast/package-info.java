/**
 * The root of Holdfast's exceptions, and its retryable and permanent branches; which failures of user code are
 * fatal.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;

/**
 * Auto-configuration of the operations on a running service, for operators.
 *
 * <p><b>Audience:</b> engine. The auto-configuration is public so that applications can name it, to exclude it or to
 * order their own.
 */
@NullMarked
package io.holdfast.admin;

import org.jspecify.annotations.NullMarked;

/**
 * Health and readiness: whether the database responds, and which parts of the service wait.
 *
 * <p><b>Audience:</b> engine. The auto-configuration is public so that applications can name it, to exclude it or to
 * order their own.
 */
@NullMarked
package io.holdfast.spring.health;

import org.jspecify.annotations.NullMarked;

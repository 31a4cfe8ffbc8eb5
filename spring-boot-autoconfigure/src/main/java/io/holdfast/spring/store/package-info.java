/**
 * Opens the store that the properties select: in the application's database, in an H2 file, or in memory.
 *
 * <p><b>Audience:</b> engine. The auto-configurations are public so that applications can name them, to exclude them or
 * to order their own.
 */
@NullMarked
package io.holdfast.spring.store;

import org.jspecify.annotations.NullMarked;

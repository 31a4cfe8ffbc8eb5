/**
 * The settings and stores that a processor is built with.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.processing.settings;

import org.jspecify.annotations.NullMarked;

/**
 * The settings of a processor.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.processing.settings;

import org.jspecify.annotations.NullMarked;

/**
 * What a processor reports about itself: segments, lag, slow handlers, accepted restores.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.processing.status;

import org.jspecify.annotations.NullMarked;

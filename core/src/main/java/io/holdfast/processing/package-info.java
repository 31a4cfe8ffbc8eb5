/**
 * Event processors: named consumers that pass events to components and commit their effects together with the position.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.processing;

import org.jspecify.annotations.NullMarked;

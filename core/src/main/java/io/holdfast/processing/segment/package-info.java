/**
 * The work on one segment: claiming it, running handlers, parking, replaying, and forming commit units.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.processing.segment;

import org.jspecify.annotations.NullMarked;

/**
 * Durable deadlines: events that are scheduled for later. A deadline is a row of the view {@code deadlines}, so it
 * commits together with the decision that schedules, replaces or cancels it.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.deadline;

import org.jspecify.annotations.NullMarked;

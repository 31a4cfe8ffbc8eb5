/**
 * The API of event-sourced services: {@link io.holdfast.eventsourcing.EventSourcingController} executes commands,
 * returns their committed events, and reads states and histories.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.eventsourcing;

import org.jspecify.annotations.NullMarked;

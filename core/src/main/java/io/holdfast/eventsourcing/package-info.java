/**
 * The front door for services that keep events: {@link io.holdfast.eventsourcing.EventSourcingController} carries out
 * commands, answers with what was committed, and reads states and histories.
 */
@NullMarked
package io.holdfast.eventsourcing;

import org.jspecify.annotations.NullMarked;

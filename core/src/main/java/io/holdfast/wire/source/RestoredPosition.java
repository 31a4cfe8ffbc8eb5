package io.holdfast.wire.source;

import io.holdfast.event.StreamPosition;
import org.jspecify.annotations.Nullable;

/**
 * A reader's position in a source that may have lost events.
 *
 * @param unchanged whether the source still contains the reader's event
 * @param resume the position from which the reader can continue: its own, or the start of an epoch that began since;
 *     null if the reader's event is lost and the source has started no epoch
 */
public record RestoredPosition(boolean unchanged, @Nullable StreamPosition resume) {}

package io.holdfast.processing;

import io.holdfast.event.StreamPosition;

/**
 * What an operator accepted of a source that was restored: it has forgotten the events above {@code goesOnFrom}, up to
 * {@code stoodAt}, whose effects stay.
 */
public record AcceptedRestore(String stream, StreamPosition previousPosition, StreamPosition resumePosition) {}

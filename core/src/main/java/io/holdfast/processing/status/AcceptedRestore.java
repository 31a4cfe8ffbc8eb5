package io.holdfast.processing.status;

import io.holdfast.event.StreamPosition;

/**
 * The outcome of accepting a restored source. The source has lost the events above {@code resumePosition}, up to {@code
 * previousPosition}. Their effects stay.
 *
 * @param previousPosition the furthest position that a segment had reached
 * @param resumePosition the position at which the processor resumes
 */
public record AcceptedRestore(String stream, StreamPosition previousPosition, StreamPosition resumePosition) {}

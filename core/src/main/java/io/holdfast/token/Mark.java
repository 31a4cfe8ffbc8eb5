package io.holdfast.token;

import java.util.UUID;

/**
 * One component has dealt with one event that lies above its segment's position.
 *
 * @param event its id: a source that was restored may put another event at the position
 * @param component its stable id
 */
public record Mark(String stream, long position, UUID event, String component) {}

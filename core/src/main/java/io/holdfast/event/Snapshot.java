package io.holdfast.event;

/**
 * The state of one key after some event of it, kept so that loading need not fold from the start. Only ever a shortcut:
 * losing one, or finding one that cannot be read, costs time and nothing else.
 *
 * @param version of the last event that is folded in
 * @param state encoded; its revision says which shape of the state this is
 */
public record Snapshot(String stream, String key, long version, Payload state) {}

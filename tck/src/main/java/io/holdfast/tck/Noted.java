package io.holdfast.tck;

/** The payload of the kits' events. */
public record Noted(String text) {}

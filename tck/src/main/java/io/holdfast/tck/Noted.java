package io.holdfast.tck;

/** The payload of kits' events. */
public record Noted(String text) {}

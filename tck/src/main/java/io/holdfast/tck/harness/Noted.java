package io.holdfast.tck.harness;

/** The payload of the kits' events. */
public record Noted(String text) {}

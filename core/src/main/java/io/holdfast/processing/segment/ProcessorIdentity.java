package io.holdfast.processing.segment;

/** Identifies a processor of a service and the replica that runs it. */
public record ProcessorIdentity(String service, String processor, String replica) {}

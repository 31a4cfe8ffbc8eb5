package io.holdfast.processing;

/** Identifies a processor of a service and the replica that runs it. */
record ProcessorIdentity(String service, String processor, String replica) {}

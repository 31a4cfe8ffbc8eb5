package io.holdfast.processing.segment;

/**
 * Identifies a processor of a service and the replica that runs it.
 *
 * @param version the version of the service that this replica runs
 */
public record ProcessorIdentity(String service, String processor, String replica, String version) {}

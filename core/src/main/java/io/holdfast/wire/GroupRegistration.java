package io.holdfast.wire;

/**
 * Asks a stream's source to know a consumer group and to say where it starts. Asked again it gets the same answer.
 *
 * @param group the consumer, unique among all services: service and processor
 * @param start what to resolve if the group is new
 */
public record GroupRegistration(String group, String stream, StartAt start) {}

package io.holdfast.wire;

/**
 * Requests that a stream's source registers a consumer group and returns its start. Idempotent: a repeated request
 * gets the same response.
 *
 * @param group the consumer, unique among all services: service and processor
 * @param start what to resolve if the group is new
 */
public record GroupRegistration(String group, String stream, StartAt start) {}

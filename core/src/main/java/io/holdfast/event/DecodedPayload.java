package io.holdfast.event;

/**
 * A value that is read to be changed and written again, with what its class does not know.
 *
 * @param payload the value as it is stored, unknown properties included
 */
public record DecodedPayload<T>(T value, Payload payload, UnknownProperties unknown) {}

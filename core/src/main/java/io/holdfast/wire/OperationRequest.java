package io.holdfast.wire;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A request to one replica of a service. The wire reads neither the operation nor the body.
 *
 * @param id identifies the request across repetitions: a request with the same id is the same request
 * @param service the service that serves it
 * @param operation the name of the operation; several parts of a service share the wire under different names
 * @param body JSON, at most {@link #MAX_BYTES}
 */
public record OperationRequest(UUID id, String service, String operation, String body) {

    /** Maximum size of the body of a request or of a reply, in UTF-8. */
    public static final int MAX_BYTES = 1 << 20;

    private static final int MAX_BYTES_PER_CHARACTER = 3;

    /** @throws PermanentException if the wire cannot carry the request */
    public OperationRequest {
        Names.require("name of service", service);
        Names.require("name of operation", operation);
        requireCarriable("request", operation, service, body);
    }

    /** @throws PermanentException if the wire cannot carry the body */
    static void requireCarriable(String kind, String operation, String service, String body) {
        int bytes = body.length() <= MAX_BYTES / MAX_BYTES_PER_CHARACTER
                ? 0 // short enough, whatever it contains
                : body.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new PermanentException("the " + kind + " of operation " + operation + " of service " + service
                    + " has " + bytes + " bytes; the wire carries at most " + MAX_BYTES
                    + ", so split it into smaller ones");
        }
        if (!Names.isStorable(body)) {
            throw new PermanentException("the " + kind + " of operation " + operation + " of service " + service
                    + " contains NUL or an unpaired surrogate, which the wire cannot carry");
        }
    }

    /** Leaves out the body, which may contain what a log must not show. */
    @Override
    public String toString() {
        return "request " + id + " for operation " + operation + " of service " + service;
    }
}

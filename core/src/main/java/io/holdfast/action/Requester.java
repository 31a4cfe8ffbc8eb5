package io.holdfast.action;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import org.jspecify.annotations.Nullable;

/**
 * Who requests an action, why, and where the request came from.
 *
 * @param operator the authenticated name
 * @param role the role that allowed the request; null for code
 * @param reason what the operator has stated; null if no reason was required
 * @param via null for code
 */
public record Requester(String operator, @Nullable String role, @Nullable String reason, @Nullable Via via) {

    /** The requester of actions that code stages. */
    public static final Requester CODE = new Requester("code", null, null, null);

    private static final int MAX_REASON_LENGTH = 2_000;
    private static final int MAX_ROLE_LENGTH = 40;

    /**
     * Where a request entered the system.
     *
     * @param service the gateway
     * @param replica the gateway's replica
     * @param address the address of the client; null if the request did not come over HTTP
     */
    public record Via(String service, String replica, @Nullable String address) {

        public Via {
            Names.require("gateway of the request", service);
            Names.require("replica of the gateway", replica);
            if (address != null) {
                Names.require("address of the client", address);
            }
        }
    }

    public Requester {
        Names.require("operator", operator);
        if (role != null && Names.require("role", role).length() > MAX_ROLE_LENGTH) {
            throw new PermanentException("role must have at most " + MAX_ROLE_LENGTH + " characters");
        }
        if (reason != null && (reason.length() > MAX_REASON_LENGTH || !Names.isStorable(reason))) {
            throw new PermanentException("reason must be storable and have at most " + MAX_REASON_LENGTH
                    + " characters, but has " + reason.length());
        }
    }
}

package io.holdfast.admin.gateway;

import org.jspecify.annotations.Nullable;

/**
 * Who makes a request. An explicit argument everywhere: the owner serves requests on threads that know nothing of the
 * caller's session.
 */
public record Operator(String name, Role role, Via via) {

    /** The name of all operators while there is no authentication. */
    public static final String ANONYMOUS = "anonymous";

    /**
     * Where a request entered the system.
     *
     * @param service the gateway
     * @param replica the gateway's replica
     * @param address the address of the client, if the request came over HTTP
     */
    public record Via(String service, String replica, @Nullable String address) {}
}

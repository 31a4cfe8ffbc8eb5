package io.holdfast.service;

import java.util.Optional;
import java.util.OptionalInt;

/** Compares the connections that a service needs with those that its store can open. */
final class ConnectionCheck {

    /** For the committer, the publisher, and one for all coordinators and reads together. */
    private static final int ENGINE_CONNECTIONS = 3;

    private ConnectionCheck() {}

    /**
     * Returns a warning if there are too few. Everything still works, but slowly: threads wait for each other's
     * connections. A handler that writes application rows has a connection for as long as it runs.
     */
    static Optional<String> of(HoldfastServiceBuilder service) {
        OptionalInt connections = service.store.unitTransactions().capacity();
        int handlers = service.writesApplicationRows() ? service.handlerThreads : 0;
        int needed = ENGINE_CONNECTIONS + handlers;
        if (connections.isEmpty() || connections.getAsInt() >= needed) {
            return Optional.empty();
        }
        String purpose = ENGINE_CONNECTIONS + " for the engine"
                + (handlers == 0 ? "" : " and one for each of " + handlers + " threads of handlers that write rows");
        return Optional.of("Service " + service.service + " has a pool of " + connections.getAsInt()
                + " connections and should have at least " + needed + ": " + purpose
                + ". With fewer, threads wait for each other's connections. Enlarge the pool (Spring Boot:"
                + " spring.datasource.hikari.maximum-pool-size)"
                + (handlers == 0 ? "" : ", or use fewer handler threads"));
    }
}

package io.holdfast.wire;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Passes each request to the handler of its operation, so that several parts of a service share one server. Thread-safe. */
public final class OperationDispatcher implements OperationServer {

    private final Map<String, Registered> handlers = new ConcurrentHashMap<>();

    /**
     * Adds the handler of an operation until the registration is closed. It is called like
     * {@link OperationServer#serve}, and returns the reply.
     *
     * @throws PermanentException if the operation has a handler already
     */
    public Wire.Registration register(String operation, Function<OperationRequest, String> handler) {
        return registerAsync(operation, request -> CompletableFuture.completedFuture(handler.apply(request)));
    }

    /** As {@link #register}, for a handler that waits: it returns a future of the reply. */
    public Wire.Registration registerAsync(
            String operation, Function<OperationRequest, CompletableFuture<String>> handler) {
        Names.require("name of operation", operation);
        Registered registered = new Registered(handler);
        if (handlers.putIfAbsent(operation, registered) != null) {
            throw new PermanentException(
                    "operation " + operation + " has a handler already; register it under another name");
        }
        return () -> handlers.remove(operation, registered);
    }

    @Override
    public Optional<CompletableFuture<String>> serve(OperationRequest request) {
        return Optional.ofNullable(handlers.get(request.operation()))
                .map(registered -> registered.handler.apply(request));
    }

    /** One registration, compared by identity: the same handler may be registered again. */
    private static final class Registered {

        private final Function<OperationRequest, CompletableFuture<String>> handler;

        Registered(Function<OperationRequest, CompletableFuture<String>> handler) {
            this.handler = handler;
        }
    }
}

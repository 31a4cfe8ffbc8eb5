package io.holdfast.memory;

import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationReply;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.OperationThreads;
import io.holdfast.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Carries requests between replicas of one process, and loses replies while the wire is down. Thread-safe. */
final class InMemoryOperations {

    private final BooleanSupplier connected;
    private final boolean onCallersThread;
    private final Map<String, List<Server>> servers = new ConcurrentHashMap<>();

    /** @param onCallersThread whether {@link #ask} itself runs the server, so that a simulation can be repeated */
    InMemoryOperations(BooleanSupplier connected, boolean onCallersThread) {
        this.connected = connected;
        this.onCallersThread = onCallersThread;
    }

    Wire.Registration serve(String service, String replica, OperationServer delegate) {
        List<Server> ofReplica = servers.computeIfAbsent(replica, unknown -> new CopyOnWriteArrayList<>());
        Server server = new Server(service, delegate, new OperationThreads(replica));
        ofReplica.add(server);
        return () -> {
            ofReplica.remove(server);
            server.threads.close();
        };
    }

    CompletableFuture<String> ask(String replica, OperationRequest request, Duration timeout) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Server server = newest(replica);
        if (server == null) { // the request is lost: nothing to wait for
            result.completeExceptionally(noReply(replica, request, timeout));
            return result;
        }
        CompletableFuture<OperationReply> reply = new CompletableFuture<>();
        var unused = reply.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((replied, late) -> complete(result, replied, replica, request, timeout));
        server.serve(request, reply);
        return result;
    }

    private static void complete(
            CompletableFuture<String> result,
            @Nullable OperationReply reply,
            String replica,
            OperationRequest request,
            Duration timeout) {
        try {
            if (reply == null) {
                throw noReply(replica, request, timeout);
            }
            result.complete(reply.bodyOrThrow(request, replica));
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    private static NoReplyException noReply(String replica, OperationRequest request, Duration timeout) {
        return new NoReplyException(request, replica, timeout);
    }

    private @Nullable Server newest(String replica) {
        List<Server> open = new ArrayList<>(servers.getOrDefault(replica, List.of()));
        return open.isEmpty() ? null : open.get(open.size() - 1);
    }

    /** One registration, compared by identity. */
    private final class Server {

        private final String service;
        private final OperationServer delegate;
        private final OperationThreads threads;

        Server(String service, OperationServer delegate, OperationThreads threads) {
            this.service = service;
            this.delegate = delegate;
            this.threads = threads;
        }

        void serve(OperationRequest request, CompletableFuture<OperationReply> reply) {
            if (!service.equals(request.service())) {
                reply.complete(OperationReply.NOT_SERVED);
            } else if (onCallersThread) {
                run(request, reply);
            } else if (!threads.execute(() -> run(request, reply))) {
                reply.complete(OperationReply.BUSY);
            }
        }

        private void run(OperationRequest request, CompletableFuture<OperationReply> reply) {
            var unused = OperationReply.of(delegate, request).thenAccept(served -> {
                if (connected.getAsBoolean()) {
                    reply.complete(served);
                }
            });
        }
    }
}

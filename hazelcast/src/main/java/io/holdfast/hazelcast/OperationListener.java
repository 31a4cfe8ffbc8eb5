package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.holdfast.wire.OperationReply;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.OperationThreads;
import io.holdfast.wire.Wire;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives the requests to the replicas of this process, and replies to the askers. Thread-safe. */
final class OperationListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OperationListener.class);

    private final Link link;
    private final Subscriptions subscriptions;
    private final OperationRecords records;
    /** The open registrations of each replica, the newest last. */
    private final Map<String, List<Server>> servers = new ConcurrentHashMap<>();

    OperationListener(Link link, Subscriptions subscriptions, OperationRecords records) {
        this.link = link;
        this.subscriptions = subscriptions;
        this.records = records;
    }

    Wire.Registration serve(String service, String replica, OperationServer delegate) {
        Server server = new Server(service, replica, delegate);
        servers.computeIfAbsent(replica, unknown -> new CopyOnWriteArrayList<>())
                .add(server);
        Wire.Registration subscription = subscriptions.add(OperationMessage.topic(replica), server::receive);
        return () -> {
            subscription.close();
            server.close();
        };
    }

    private void reply(OperationMessage request, OperationReply reply) {
        GenericRecord record = records.write(request.reply(reply));
        var unused = link.call(() -> link.topic(request.replyTo()).publishAsync(record))
                .exceptionally(failure -> {
                    log.debug("Replying to {} failed; the asker repeats it: {}", request, failure.toString());
                    return null;
                });
    }

    @Override
    public void close() {
        servers.values().forEach(open -> open.forEach(Server::close));
    }

    /** One registration, compared by identity. */
    private final class Server {

        private final String service;
        private final String replica;
        private final OperationServer delegate;
        private final OperationThreads threads;

        Server(String service, String replica, OperationServer delegate) {
            this.service = service;
            this.replica = replica;
            this.delegate = delegate;
            this.threads = new OperationThreads(replica);
        }

        /** Runs on a thread of Hazelcast, so it only passes the record on. */
        void receive(GenericRecord record) {
            if (isNewest() && !threads.execute(() -> attempt(record))) {
                link.run(() -> rejectAsBusy(record));
            }
        }

        private boolean isNewest() {
            List<Server> open = List.copyOf(servers.getOrDefault(replica, List.of()));
            return !open.isEmpty() && open.get(open.size() - 1) == this;
        }

        private void rejectAsBusy(GenericRecord record) {
            OperationMessage message = OperationRecords.read(record);
            if (message.request().service().equals(service)) {
                reply(message, OperationReply.BUSY);
            }
        }

        private void attempt(GenericRecord record) {
            try {
                records.verified(record, "a request to replica " + replica)
                        .filter(message -> message.replica().equals(replica))
                        .ifPresent(this::handle);
            } catch (RuntimeException e) { // other clients may publish anything
                log.debug("Ignored a request to replica {} that cannot be decoded: {}", replica, e.toString());
            }
        }

        private void handle(OperationMessage message) {
            OperationRequest request = message.request();
            if (request.service().equals(service)) {
                var unused = OperationReply.of(delegate, request).thenAccept(served -> reply(message, served));
            } else {
                reply(message, OperationReply.NOT_SERVED);
            }
        }

        void close() {
            servers.getOrDefault(replica, List.of()).remove(this);
            threads.close();
        }
    }
}

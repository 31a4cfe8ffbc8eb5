package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.holdfast.UserFailures;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests for the streams of this service. A {@link StreamServer} reads a database, so it runs on its own
 * threads with a bounded queue. A request that does not fit is dropped, and the requester repeats it.
 */
final class RequestServer implements AutoCloseable {

    static final int THREADS = 2;
    static final int QUEUE_CAPACITY = 100;

    private static final Logger log = LoggerFactory.getLogger(RequestServer.class);

    private final Link link;
    private final Subscriptions subscriptions;
    private final EventRecords records;
    private final ThreadPoolExecutor executor;

    RequestServer(Link link, Subscriptions subscriptions, EventRecords records) {
        this.link = link;
        this.subscriptions = subscriptions;
        this.records = records;
        this.executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE_CAPACITY),
                Link.daemonThreadFactory("holdfast-stream-server"),
                (work, pool) -> log.debug("Too many requests; dropped one, which the requester will repeat"));
        executor.allowCoreThreadTimeOut(true);
    }

    Wire.Registration serve(Collection<String> streams, StreamServer server) {
        List<Wire.Registration> registrations = List.copyOf(streams).stream()
                .map(stream -> subscriptions.add(
                        Request.topic(stream), record -> executor.execute(() -> handle(record, server))))
                .toList();
        return () -> registrations.forEach(Wire.Registration::close);
    }

    private void handle(GenericRecord record, StreamServer server) {
        Request request;
        try {
            request = Request.read(record);
        } catch (RuntimeException e) { // other clients may publish anything
            log.debug("Ignored a request that cannot be decoded: {}", e.toString());
            return;
        }
        handle(request, server);
    }

    private void handle(Request request, StreamServer server) {
        String id = request.id();
        Reply reply;
        try {
            reply = reply(id, request.content(), server);
        } catch (Throwable thrown) {
            Throwable failure = UserFailures.throwIfFatal(thrown);
            log.debug("{} failed", request.content(), failure);
            reply = new Reply(id, failure.getClass().getSimpleName() + ", " + failure.getMessage(), null, null);
        }
        String replyTo = request.replyTo();
        if (replyTo != null) {
            send(replyTo, reply.write());
        }
    }

    private Reply reply(String id, Record content, StreamServer server) {
        if (content instanceof PageRequest request) {
            return new Reply(id, null, MessageRecords.write(server.page(request), records), null);
        }
        if (content instanceof GroupRegistration registration) {
            return new Reply(id, null, null, MessageRecords.write(server.register(registration)));
        }
        server.report((GroupReport) content);
        return new Reply(id, null, null, null);
    }

    private void send(String topic, GenericRecord reply) {
        var unused = link.call(() -> link.topic(topic).publishAsync(reply)).exceptionally(failure -> {
            log.debug("Sending a reply failed; the requester will repeat its request: {}", failure.toString());
            return null;
        });
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}

package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.holdfast.RetryableException;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.WireUnavailableException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to the sources of streams, over one topic per stream, and receives replies on a topic of this process.
 * Thread-safe.
 */
final class RequestClient {

    private static final Logger log = LoggerFactory.getLogger(RequestClient.class);

    private final Link link;
    private final EventRecords records;
    private final Announcements announcements;
    private final String replyTo = "holdfast.replies." + UUID.randomUUID();
    private final Map<String, PendingRequest<?>> pending = new ConcurrentHashMap<>();

    RequestClient(Link link, Subscriptions subscriptions, EventRecords records, Announcements announcements) {
        this.link = link;
        this.records = records;
        this.announcements = announcements;
        subscriptions.whenConnected(replyTo, record -> link.run(() -> onReply(record)));
    }

    CompletableFuture<StreamPage> page(PageRequest request) {
        return send(request.stream(), request, reply -> MessageRecords.page(required(reply.page()), records));
    }

    CompletableFuture<StreamPosition> register(GroupRegistration registration) {
        return send(registration.stream(), registration, reply -> MessageRecords.position(required(reply.start())));
    }

    void report(GroupReport report) {
        String what = "report to stream " + report.stream();
        if (!link.isUp()) {
            throw Failures.notConnected(what);
        }
        GenericRecord record = new Request(UUID.randomUUID().toString(), null, report).write();
        link.await(
                what, link.call(() -> link.topic(Request.topic(report.stream())).publishAsync(record)));
    }

    private <A> CompletableFuture<A> send(String stream, Record content, Function<Reply, A> reader) {
        String what = "query the source of stream " + stream;
        if (!link.isUp()) {
            return CompletableFuture.failedFuture(Failures.notConnected(what));
        }
        String id = UUID.randomUUID().toString();
        PendingRequest<A> request = new PendingRequest<>(id, stream, reader);
        pending.put(id, request);
        link.schedule(link.timeout(), () -> timeOut(id)); // by id, so as not to retain answered requests
        GenericRecord record = new Request(id, replyTo, content).write();
        CompletableFuture<Void> sent =
                link.call(() -> link.topic(Request.topic(stream)).publishAsync(record));
        var unused = sent.whenComplete((done, failure) -> {
            if (failure != null) {
                request.fail(Failures.unavailable(what, failure));
            }
        });
        return request.result;
    }

    private void timeOut(String id) {
        PendingRequest<?> request = pending.get(id);
        if (request != null) {
            request.timeOut();
        }
    }

    /** Drops a reply whose request is unknown, has been answered or has timed out. */
    private void onReply(GenericRecord record) {
        Reply reply;
        try {
            reply = Reply.read(record);
        } catch (RuntimeException e) { // other clients may publish anything; the requester repeats its request
            log.debug("Ignored a reply that cannot be decoded: {}", e.toString());
            return;
        }
        PendingRequest<?> request = pending.get(reply.id());
        if (request != null) {
            request.onReply(reply);
        }
    }

    private static GenericRecord required(@Nullable GenericRecord part) {
        return Objects.requireNonNull(part, "the reply does not match the kind of its request");
    }

    private final class PendingRequest<A> {

        private final String id;
        private final String stream;
        private final Function<Reply, A> reader;
        private final CompletableFuture<A> result = new CompletableFuture<>();
        private int errors;

        PendingRequest(String id, String stream, Function<Reply, A> reader) {
            this.id = id;
            this.stream = stream;
            this.reader = reader;
        }

        /** Every replica of the source replies. The request fails only if all of them failed. */
        synchronized void onReply(Reply reply) {
            String error = reply.error();
            if (error == null) {
                read(reply);
            } else if (++errors >= announcements.owners(stream)) {
                fail(new RetryableException("the source of stream " + stream + " failed: " + error));
            }
        }

        private void read(Reply reply) {
            try {
                A read = reader.apply(reply);
                pending.remove(id);
                result.complete(read);
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        void timeOut() {
            fail(new WireUnavailableException(
                    "no replica of the source of stream " + stream + " responded within " + link.timeout()));
        }

        void fail(Throwable failure) {
            pending.remove(id);
            result.completeExceptionally(failure);
        }
    }
}

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

/** Asks the sources of streams, over a topic for each stream, and waits for replies on a topic of this process. */
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
        String what = "ask for stream " + stream;
        if (!link.isUp()) {
            return CompletableFuture.failedFuture(Failures.notConnected(what));
        }
        String id = UUID.randomUUID().toString();
        PendingRequest<A> asked = new PendingRequest<>(id, stream, reader);
        pending.put(id, asked);
        link.schedule(link.timeout(), () -> timeOut(id)); // by its id: what is answered is not kept until then
        GenericRecord record = new Request(id, replyTo, content).write();
        CompletableFuture<Void> sent =
                link.call(() -> link.topic(Request.topic(stream)).publishAsync(record));
        var unused = sent.whenComplete((done, failure) -> {
            if (failure != null) {
                asked.fail(Failures.unavailable(what, failure));
            }
        });
        return asked.result;
    }

    private void timeOut(String id) {
        PendingRequest<?> asked = pending.get(id);
        if (asked != null) {
            asked.timeOut();
        }
    }

    /** A reply that nobody waits for, or not any more, is dropped. */
    private void onReply(GenericRecord record) {
        Reply reply;
        try {
            reply = Reply.read(record);
        } catch (RuntimeException e) { // whatever others put there; what was asked is asked again
            log.debug("A reply was not understood: {}", e.toString());
            return;
        }
        PendingRequest<?> asked = pending.get(reply.id());
        if (asked != null) {
            asked.onReply(reply);
        }
    }

    private static GenericRecord required(@Nullable GenericRecord part) {
        return Objects.requireNonNull(part, "the reply has no answer to what was asked");
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

        /** Another replica may answer where one failed; only if all have failed, that is the answer. */
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
            fail(new WireUnavailableException("nobody answers for stream " + stream + " within " + link.timeout()));
        }

        void fail(Throwable failure) {
            pending.remove(id);
            result.completeExceptionally(failure);
        }
    }
}

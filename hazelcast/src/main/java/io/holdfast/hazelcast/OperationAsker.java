package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.holdfast.wire.NoLiveReplicaException;
import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationRequest;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests to replicas, over one topic per replica, and receives replies on a topic of this process. Thread-safe. */
final class OperationAsker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OperationAsker.class);

    private final Link link;
    private final OperationRecords records;
    private final Announcements announcements;
    private final String replyTo = OperationMessage.REPLY_TOPIC + UUID.randomUUID();
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();

    OperationAsker(Link link, Subscriptions subscriptions, OperationRecords records, Announcements announcements) {
        this.link = link;
        this.records = records;
        this.announcements = announcements;
        subscriptions.whenConnected(replyTo, record -> link.run(() -> onReply(record)));
    }

    CompletableFuture<String> ask(String replica, OperationRequest request, Duration timeout) {
        if (!link.isUp()) {
            return CompletableFuture.failedFuture(Failures.notConnected("send " + request));
        }
        if (!announcements.isLive(request.service(), replica)) {
            return CompletableFuture.failedFuture(NoLiveReplicaException.of(request, replica));
        }
        OperationMessage message = OperationMessage.of(replica, request, replyTo);
        Pending asked = new Pending(request, message);
        pending.put(message.attempt(), asked);
        link.schedule(timeout, () -> timeOut(message.attempt(), timeout)); // by id: retains no answered request
        CompletableFuture<Void> sent =
                link.call(() -> link.topic(OperationMessage.topic(replica)).publishAsync(records.write(message)));
        var unused = sent.whenComplete((done, failure) -> {
            if (failure != null) { // the cluster may have received it all the same
                asked.fail(new NoReplyException(
                        request, replica, Failures.unwrap(failure).toString()));
            }
        });
        return asked.result;
    }

    private void timeOut(String attempt, Duration timeout) {
        Pending asked = pending.get(attempt);
        if (asked != null) {
            asked.fail(new NoReplyException(asked.request, asked.message.replica(), timeout));
        }
    }

    /** Ignores a reply that cannot be decoded, is rejected, or whose request has been answered or has timed out. */
    private void onReply(GenericRecord record) {
        try {
            Pending asked = pending.get(OperationRecords.read(record).attempt());
            if (asked != null) { // verifies only what is awaited
                records.verified(record, "a reply to " + asked.request).ifPresent(asked::onReply);
            }
        } catch (RuntimeException e) { // other clients may publish anything
            log.debug("Ignored a reply that cannot be decoded: {}", e.toString());
        }
    }

    /** Fails the pending requests, whose timeouts no longer run. */
    @Override
    public void close() {
        pending.values()
                .forEach(asked -> asked.fail(
                        new NoReplyException(asked.request, asked.message.replica(), "the wire was closed")));
    }

    private final class Pending {

        private final OperationRequest request;
        private final OperationMessage message;
        private final CompletableFuture<String> result = new CompletableFuture<>();

        Pending(OperationRequest request, OperationMessage message) {
            this.request = request;
            this.message = message;
        }

        void onReply(OperationMessage reply) {
            if (!reply.isReplyTo(message)) {
                return;
            }
            try {
                String body = reply.reply().bodyOrThrow(request, message.replica());
                pending.remove(message.attempt());
                result.complete(body);
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        void fail(RuntimeException failure) {
            pending.remove(message.attempt());
            result.completeExceptionally(failure);
        }
    }
}

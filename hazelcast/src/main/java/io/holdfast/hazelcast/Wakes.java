package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.FieldKind;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.holdfast.wire.Wire;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes the other replicas of a service. Per service, at most one message is in flight; wakes that arrive meanwhile are
 * coalesced into one. Thread-safe.
 */
final class Wakes {

    private static final String PREFIX = "holdfast.wake.";
    private static final String SENDER = "sender";

    private final Link link;
    private final Subscriptions subscriptions;
    private final String sender = UUID.randomUUID().toString();
    private final Map<String, Waker> wakers = new ConcurrentHashMap<>();

    Wakes(Link link, Subscriptions subscriptions) {
        this.link = link;
        this.subscriptions = subscriptions;
    }

    void wake(String service) {
        if (link.isUp()) {
            wakers.computeIfAbsent(service, Waker::new).wake();
        }
    }

    Wire.Registration onWake(String service, Runnable signal) {
        return subscriptions.add(PREFIX + service, record -> {
            if (!isOwn(record)) {
                signal.run();
            }
        });
    }

    /** A topic delivers a message to its sender too. */
    private boolean isOwn(GenericRecord record) {
        return record.getFieldKind(SENDER) == FieldKind.STRING && sender.equals(record.getString(SENDER));
    }

    private final class Waker {

        private final String topic;
        private final GenericRecord message;
        private boolean sending;
        private boolean wakePending;

        Waker(String service) {
            this.topic = PREFIX + service;
            this.message = GenericRecordBuilder.compact("holdfast.Wake")
                    .setString("service", service)
                    .setString(SENDER, sender)
                    .build();
        }

        synchronized void wake() {
            wakePending |= sending;
            if (!sending) {
                send();
            }
        }

        private void send() {
            sending = true;
            CompletableFuture<Void> sent = link.call(() -> link.topic(topic).publishAsync(message));
            var unused = sent.whenComplete((done, failure) -> onSent());
        }

        private synchronized void onSent() {
            sending = false;
            if (wakePending && link.isUp()) {
                wakePending = false;
                send();
            }
        }
    }
}

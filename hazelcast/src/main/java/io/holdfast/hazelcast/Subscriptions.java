package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.topic.Message;
import com.hazelcast.topic.MessageListener;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireUnavailableException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers topic listeners, which can be added while the cluster is unreachable. Hazelcast itself restores registered
 * listeners, even after its members restart. Thread-safe.
 */
final class Subscriptions {

    private static final Logger log = LoggerFactory.getLogger(Subscriptions.class);

    private final Link link;
    private final Set<Subscription> waiting = ConcurrentHashMap.newKeySet();
    private final Set<Subscription> registered = ConcurrentHashMap.newKeySet();

    Subscriptions(Link link) {
        this.link = link;
        link.addPreparation(() -> waiting.forEach(Subscription::register));
        link.everyTick(() -> waiting.forEach(Subscription::register)); // the cluster may have been slow, but up
        link.whenClosing(() -> registered.forEach(Subscription::remove));
    }

    /** Registers the listener at the next connection; for listeners that exist from the start. */
    void whenConnected(String topic, Consumer<GenericRecord> listener) {
        waiting.add(new Subscription(topic, listener));
    }

    /** Registers the listener before it returns if the cluster is reachable, otherwise at the next connection. */
    Wire.Registration add(String topic, Consumer<GenericRecord> listener) {
        Subscription subscription = new Subscription(topic, listener);
        waiting.add(subscription);
        try {
            link.await("listen to " + topic, link.call(() -> {
                subscription.register();
                return CompletableFuture.completedFuture(null);
            }));
        } catch (WireUnavailableException e) {
            log.debug("The subscription waits for the cluster: {}", e.getMessage());
        }
        return subscription;
    }

    private final class Subscription implements MessageListener<GenericRecord>, Wire.Registration {

        private final String topic;
        private final Consumer<GenericRecord> listener;
        private @Nullable UUID id;
        private volatile boolean closed;

        Subscription(String topic, Consumer<GenericRecord> listener) {
            this.topic = topic;
            this.listener = listener;
        }

        synchronized void register() {
            if (id == null && !closed) {
                id = link.topic(topic).addMessageListener(this);
                registered.add(this);
                waiting.remove(this);
            }
        }

        @Override
        public void onMessage(Message<GenericRecord> message) {
            if (closed) {
                return;
            }
            try {
                listener.accept(message.getMessageObject());
            } catch (RuntimeException e) { // other clients may publish anything
                log.debug("Ignored a message on topic {} that cannot be decoded: {}", topic, e.toString());
            }
        }

        @Override
        public void close() {
            closed = true; // ignores messages from now on; the removal may have to wait for the cluster
            waiting.remove(this);
            link.run(this::remove);
        }

        private synchronized void remove() {
            UUID current = id;
            if (current != null) {
                id = null;
                registered.remove(this);
                link.topic(topic).removeMessageListener(current);
            }
        }
    }
}

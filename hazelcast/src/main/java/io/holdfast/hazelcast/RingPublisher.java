package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.ringbuffer.OverflowPolicy;
import com.hazelcast.ringbuffer.Ringbuffer;
import io.holdfast.event.EventMessage;
import io.holdfast.wire.UnpublishableEventException;
import io.holdfast.wire.WireUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends events to the ringbuffers: streams in parallel, each stream in order. */
final class RingPublisher {

    /** Hazelcast's limit for one call. */
    private static final int MAX_CHUNK = 1_000;

    private static final int MAX_CHUNK_CHARACTERS = 2 << 20;
    private static final Logger log = LoggerFactory.getLogger(RingPublisher.class);

    private final Link link;
    private final EventRecords records;
    private final boolean mirrored;

    RingPublisher(Link link, EventRecords records, boolean mirrored) {
        this.link = link;
        this.records = records;
        this.mirrored = mirrored;
    }

    void publish(List<EventMessage> events) {
        if (events.isEmpty()) {
            return;
        }
        String what = "publish " + events.size() + " events";
        if (!link.isUp()) {
            throw Failures.notConnected(what);
        }
        Map<String, List<EventMessage>> byStream = new LinkedHashMap<>();
        events.forEach(event -> byStream.computeIfAbsent(event.stream(), unknown -> new ArrayList<>())
                .add(event));
        List<StreamBatch> batches = byStream.entrySet().stream()
                .map(entry -> new StreamBatch(entry.getKey(), entry.getValue()))
                .toList();
        CompletableFuture<?>[] running =
                batches.stream().map(StreamBatch::addNext).toArray(CompletableFuture<?>[]::new);
        try {
            link.await(what, CompletableFuture.allOf(running));
        } catch (WireUnavailableException e) {
            batches.forEach(StreamBatch::abandon); // the publisher repeats the batch; a late add must not follow it
            throw e;
        }
        throwFirstRejected(events, batches);
    }

    /** Throws for the first rejected event of the batch. All events before it were added. */
    private static void throwFirstRejected(List<EventMessage> events, List<StreamBatch> batches) {
        for (EventMessage event : events) {
            for (StreamBatch batch : batches) {
                UnpublishableEventException problem = batch.rejected;
                if (problem != null && problem.event().equals(event.id())) {
                    throw problem;
                }
            }
        }
    }

    private void mirror(String type, GenericRecord record) {
        try {
            var unused = link.topic(type).publishAsync(record).exceptionally(failure -> {
                log.debug("Mirroring to topic {} failed: {}", type, failure.toString());
                return null;
            });
        } catch (RuntimeException e) {
            log.debug("Mirroring to topic {} failed: {}", type, e.toString());
        }
    }

    /** Adds the events of one stream, chunk by chunk. */
    private final class StreamBatch {

        private final String stream;
        private final List<EventMessage> events;
        private int added;
        private int maxChunk = MAX_CHUNK;
        private volatile boolean abandoned;
        private volatile @Nullable UnpublishableEventException rejected;

        StreamBatch(String stream, List<EventMessage> events) {
            this.stream = stream;
            this.events = events;
        }

        void abandon() {
            abandoned = true;
        }

        CompletableFuture<Void> addNext() {
            if (added == events.size() || abandoned || rejected != null) {
                return CompletableFuture.completedFuture(null);
            }
            List<GenericRecord> chunk = new ArrayList<>();
            CompletableFuture<Long> result = link.call(() -> add(chunk));
            return result.handle((ringIndex, failure) -> failure).thenCompose(failure -> {
                if (failure == null) {
                    onAdded(chunk);
                } else {
                    onFailure(Failures.unwrap(failure), chunk);
                }
                return addNext();
            });
        }

        private CompletionStage<Long> add(List<GenericRecord> chunk) {
            long characters = 0;
            // The batch may have been abandoned while it waited for a thread.
            for (int i = added;
                    !abandoned && i < events.size() && chunk.size() < maxChunk && characters < MAX_CHUNK_CHARACTERS;
                    i++) {
                try {
                    chunk.add(records.write(events.get(i)));
                } catch (UnpublishableEventException e) {
                    rejected = e;
                    break;
                }
                characters += events.get(i).payload().json().length();
            }
            if (chunk.isEmpty()) {
                return CompletableFuture.completedFuture(-1L);
            }
            Ringbuffer<GenericRecord> ring = link.ring(stream);
            link.rings().warnIfCapacityDiffers(stream, ring);
            return ring.addAllAsync(chunk, OverflowPolicy.OVERWRITE);
        }

        private void onAdded(List<GenericRecord> chunk) {
            int from = added;
            added += chunk.size();
            if (mirrored) {
                link.run(() -> {
                    for (int i = 0; i < chunk.size(); i++) {
                        mirror(events.get(from + i).type(), chunk.get(i));
                    }
                });
            }
        }

        /**
         * Hazelcast rejects a chunk that it cannot serialize as a whole. Adding the records one by one identifies the
         * faulty one.
         */
        private void onFailure(Throwable failure, List<GenericRecord> chunk) {
            if (!(failure instanceof HazelcastSerializationException) || Failures.isOutage(failure)) {
                throw Failures.unavailable("publish to stream " + stream, failure);
            }
            if (chunk.size() > 1) {
                maxChunk = 1;
                rejected = null;
            } else {
                EventMessage event = events.get(added);
                rejected = new UnpublishableEventException(
                        event.id(),
                        "event " + event.id() + " at position " + event.position() + " of stream " + stream
                                + " cannot be written to the wire: " + failure.getMessage(),
                        failure);
            }
        }
    }
}

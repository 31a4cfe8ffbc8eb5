package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.ringbuffer.ReadResultSet;
import com.hazelcast.ringbuffer.Ringbuffer;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.wire.WireReader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one ringbuffer, with one read at a time, which waits on the member until records arrive.
 *
 * <p>A ringbuffer can be replaced under the same name at any time: its member restarted empty, or a promoted backup
 * lacks the newest records. Hazelcast then silently moves a read to what exists. So after every failure the reader
 * reads the last record once more. If that record differs, if a read returns lower ring indexes than requested, or if
 * the ringbuffer ends before the requested index, the reader starts again at the oldest record and skips what it has
 * delivered.
 *
 * <p>Thread-safe.
 */
final class RingReader implements WireReader {

    private static final int MAX_READ = 500;
    private static final long PENDING_READ_TIMEOUT = Duration.ofMillis(400).toNanos();
    private static final long RETRY_DELAY = Duration.ofMillis(50).toNanos();
    private static final Logger log = LoggerFactory.getLogger(RingReader.class);

    private final Link link;
    private final EventRecords records;
    private final String stream;
    private final Consumer<String> onArrival;
    private final LongSupplier nanos;
    private final Deque<EventMessage> buffered = new ArrayDeque<>();

    /** Number of the pending read; the result of any other one is stale. */
    private long currentRead;

    private boolean reading;
    private long requestedFrom;
    private long requestedAt;
    private long failedAt;

    private long next;
    /** The id of the record at {@code next - 1}; null if there is no such record or it has no id. */
    private @Nullable String lastId;
    /** Whether the next read must first verify that record. */
    private boolean verifyLast;

    private @Nullable LogPosition lastDelivered;
    /** Whether the following records may have been delivered before. */
    private boolean skippingDelivered;

    /** @param nanos a monotonic clock, as {@link System#nanoTime} */
    RingReader(Link link, EventRecords records, String stream, Consumer<String> onArrival, LongSupplier nanos) {
        this.link = link;
        this.records = records;
        this.stream = stream;
        this.onArrival = onArrival;
        this.nanos = nanos;
        this.failedAt = nanos.getAsLong() - RETRY_DELAY;
    }

    @Override
    public List<EventMessage> poll(int limit) {
        if (!link.isUp()) {
            return List.of();
        }
        synchronized (this) {
            List<EventMessage> polled = new ArrayList<>(Math.min(limit, buffered.size()));
            while (polled.size() < limit && !buffered.isEmpty()) {
                polled.add(buffered.removeFirst());
            }
            if (!reading && nanos.getAsLong() - failedAt >= RETRY_DELAY) {
                readNext();
            }
            return polled;
        }
    }

    /** Starts a new read after a reconnect. Abandons the pending one, because the ringbuffer may have been replaced. */
    synchronized void resume() {
        if (link.isUp()) {
            verifyLast = true;
            reading = false;
            readNext();
        }
    }

    /** Checks a read that has been pending for long: it may wait for an index that the ringbuffer never reaches. */
    synchronized void checkPendingRead() {
        if (!reading) {
            readNext();
        } else if (nanos.getAsLong() - requestedAt > PENDING_READ_TIMEOUT) {
            long read = currentRead;
            readAsync(Math.max(next - 1, 0), 0, 2, (reader, end) -> reader.verifyRing(read, end));
        }
    }

    private void readNext() {
        if (!buffered.isEmpty()) {
            return;
        }
        reading = true;
        long read = ++currentRead;
        requestedAt = nanos.getAsLong();
        requestedFrom = verifyLast && lastId != null ? next - 1 : next;
        readAsync(requestedFrom, 1, MAX_READ, (reader, result) -> reader.receive(read, result));
    }

    /** References the reader weakly, so that a read pending in Hazelcast does not keep an unused reader reachable. */
    private void readAsync(long from, int minCount, int maxCount, BiConsumer<RingReader, ReadResult> receiver) {
        WeakReference<RingReader> self = new WeakReference<>(this);
        Link connection = link;
        String name = stream;
        CompletableFuture<ReadResultSet<GenericRecord>> result = connection.call(() -> {
            Ringbuffer<GenericRecord> ring = connection.ring(name);
            // Hazelcast rejects a count above the capacity; capacity() needs no call, because a client caches it.
            return ring.readManyAsync(from, minCount, (int) Math.min(maxCount, ring.capacity()), null);
        });
        var unused = result.whenComplete((found, failure) -> connection.run(() -> {
            RingReader reader = self.get();
            if (reader != null) {
                receiver.accept(reader, new ReadResult(found, failure));
            }
        }));
    }

    /** The ringbuffer must end with the record that was read last, or contain newer ones. */
    private synchronized void verifyRing(long read, ReadResult result) {
        ReadResultSet<GenericRecord> found = result.found();
        if (read != currentRead || !reading || found == null) {
            return;
        }
        boolean hasMore = found.readCount() > 0 && found.getSequence(found.readCount() - 1) >= requestedFrom;
        boolean isReplaced = next > 0 && !containsLast(found) && !isLastOverwritten(found);
        if (isReplaced) {
            log.debug(
                    "Ringbuffer of stream {} was replaced after index {}; reading from its oldest record",
                    stream,
                    next);
            restartFromOldest();
        }
        if (isReplaced || hasMore) {
            readNext(); // the response of the pending read was lost, or will never come
        }
    }

    private boolean containsLast(ReadResultSet<GenericRecord> found) {
        if (found.readCount() == 0 || found.getSequence(0) != next - 1) {
            return false;
        }
        try {
            return lastId == null || lastId.equals(EventRecords.id(record(found, 0)));
        } catch (RuntimeException e) {
            return true; // connection lost; the next read verifies the record
        }
    }

    /** @return whether newer records have overwritten the one that was read last */
    private boolean isLastOverwritten(ReadResultSet<GenericRecord> found) {
        return found.readCount() > 0 && found.getSequence(0) > next - 1;
    }

    private synchronized boolean isCurrentRead(long read) {
        return read == currentRead;
    }

    private void receive(long read, ReadResult result) {
        if (!isCurrentRead(read)) {
            return; // saves decoding a stale result
        }
        List<RingRecord> found = new ArrayList<>();
        boolean failed = result.found() == null || !decode(result.found(), found);
        boolean hasEvents;
        synchronized (this) {
            if (read != currentRead) {
                return;
            }
            reading = false;
            if (failed) {
                log.debug("Reading stream {} from index {} failed", stream, requestedFrom, result.failure());
                verifyLast = true;
                failedAt = nanos.getAsLong();
                return;
            }
            accept(found);
            hasEvents = !buffered.isEmpty();
            readNext();
        }
        if (hasEvents) {
            onArrival.accept(stream);
        }
    }

    /** @return false if the connection was lost while decoding */
    private boolean decode(ReadResultSet<GenericRecord> result, List<RingRecord> found) {
        for (int i = 0; i < result.readCount(); i++) {
            Object record;
            try {
                record = record(result, i);
            } catch (RuntimeException e) {
                return false;
            }
            found.add(new RingRecord(
                    result.getSequence(i),
                    EventRecords.id(record),
                    records.read(record, stream).orElse(null)));
        }
        return true;
    }

    /**
     * @return the record; null if it is not a Compact record, and will be rejected
     * @throws RuntimeException if the connection was lost while decoding
     */
    private static @Nullable Object record(ReadResultSet<GenericRecord> result, int index) {
        try {
            return result.get(index);
        } catch (RuntimeException e) {
            if (Failures.isOutage(e)) {
                throw e;
            }
            return null;
        }
    }

    private void accept(List<RingRecord> found) {
        if (found.isEmpty()) {
            return;
        }
        RingRecord first = found.get(0);
        String expected = verifyLast && first.ringIndex() == requestedFrom ? lastId : null;
        if (first.ringIndex() < requestedFrom || (expected != null && !expected.equals(first.id()))) {
            restartFromOldest();
            return;
        }
        verifyLast = false;
        for (RingRecord record : expected != null ? found.subList(1, found.size()) : found) {
            next = record.ringIndex() + 1;
            lastId = record.id();
            EventMessage event = record.event();
            if (event != null && !wasDelivered(event)) {
                buffered.addLast(event);
                lastDelivered = event.logPosition();
            }
        }
    }

    private void restartFromOldest() {
        next = 0; // Hazelcast moves the read to the oldest record
        lastId = null;
        verifyLast = false;
        skippingDelivered = true;
    }

    /** Only records before the first new one count as delivered; an older one after it was published again. */
    private boolean wasDelivered(EventMessage event) {
        LogPosition last = lastDelivered;
        LogPosition position = event.logPosition();
        skippingDelivered = skippingDelivered
                && last != null
                && position.log().id().equals(last.log().id())
                && position.log().epoch() <= last.log().epoch()
                && (position.log().epoch() < last.log().epoch() || position.position() <= last.position());
        return skippingDelivered;
    }

    private record ReadResult(@Nullable ReadResultSet<GenericRecord> found, @Nullable Throwable failure) {}

    /** @param event the event; null if the record was rejected */
    private record RingRecord(long ringIndex, @Nullable String id, @Nullable EventMessage event) {}
}

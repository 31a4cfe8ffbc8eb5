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
 * Reads one ring, one read at a time, which waits on the member until there is something. A ring can be another one under
 * the same name at any time: its member came back empty, a backup took over without the newest records. Hazelcast then
 * moves a read to what is there without a sign. So after every failure the record before the next is read once more; if it
 * is another one, or a read gives lower numbers than were asked for, or the ring ends before what is asked for, reading
 * starts again with all that is there, without what was given before.
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

    /** The read that is waited for; an answer to any other comes too late. */
    private long currentRead;

    private boolean reading;
    private long requestedFrom;
    private long requestedAt;
    private long failedAt;

    private long next;
    /** The id of the record before the next; null if there was none that has one. */
    private @Nullable String lastId;
    /** Whether it must be looked at first. */
    private boolean verifyLast;
    /** The last one that was given. */
    private @Nullable LogPosition lastDelivered;
    /** Whether what comes may have been given before. */
    private boolean skippingDelivered;

    /** @param nanos what the time is, as {@link System#nanoTime} says it */
    RingReader(Link link, EventRecords records, String stream, Consumer<String> arrived, LongSupplier nanos) {
        this.link = link;
        this.records = records;
        this.stream = stream;
        this.onArrival = arrived;
        this.nanos = nanos;
        this.failedAt = nanos.getAsLong() - RETRY_DELAY;
    }

    @Override
    public List<EventMessage> poll(int limit) {
        if (!link.isUp()) {
            return List.of();
        }
        synchronized (this) {
            List<EventMessage> taken = new ArrayList<>(Math.min(limit, buffered.size()));
            while (taken.size() < limit && !buffered.isEmpty()) {
                taken.add(buffered.removeFirst());
            }
            if (!reading && nanos.getAsLong() - failedAt >= RETRY_DELAY) {
                readNext();
            }
            return taken;
        }
    }

    /** The connection is new, and the ring may be: a read that is under way is not waited for. */
    synchronized void resume() {
        if (link.isUp()) {
            verifyLast = true;
            reading = false;
            readNext();
        }
    }

    /** A read that waits for long may wait for what never comes. */
    synchronized void checkPendingRead() {
        if (!reading) {
            readNext();
        } else if (nanos.getAsLong() - requestedAt > PENDING_READ_TIMEOUT) {
            long asked = currentRead;
            readAsync(Math.max(next - 1, 0), 0, 2, (reader, end) -> reader.verifyRing(asked, end));
        }
    }

    private void readNext() {
        if (!buffered.isEmpty()) {
            return;
        }
        reading = true;
        long asked = ++currentRead;
        requestedAt = nanos.getAsLong();
        requestedFrom = verifyLast && lastId != null ? next - 1 : next;
        readAsync(requestedFrom, 1, MAX_READ, (reader, answer) -> reader.receive(asked, answer));
    }

    /** Nothing that waits in Hazelcast holds a reader that everybody else has dropped. */
    private void readAsync(long from, int least, int most, BiConsumer<RingReader, ReadResult> receiver) {
        WeakReference<RingReader> self = new WeakReference<>(this);
        Link way = link;
        String name = stream;
        CompletableFuture<ReadResultSet<GenericRecord>> answer = way.call(() -> {
            Ringbuffer<GenericRecord> ring = way.ring(name);
            // More than it can hold is refused; a client remembers that number.
            return ring.readManyAsync(from, least, (int) Math.min(most, ring.capacity()), null);
        });
        var unused = answer.whenComplete((found, failure) -> way.run(() -> {
            RingReader reader = self.get();
            if (reader != null) {
                receiver.accept(reader, new ReadResult(found, failure));
            }
        }));
    }

    /** The ring must end with the record that was read last, or have more. */
    private synchronized void verifyRing(long asked, ReadResult answer) {
        ReadResultSet<GenericRecord> found = answer.found();
        if (asked != currentRead || !reading || found == null) {
            return;
        }
        boolean hasMore = found.readCount() > 0 && found.getSequence(found.readCount() - 1) >= requestedFrom;
        boolean isAnother = next > 0 && !containsLast(found) && !isLastOverwritten(found);
        if (isAnother) {
            log.debug("Ring of stream {} is another one than was read to {}; read from its beginning", stream, next);
            restartFromOldest();
        }
        if (isAnother || hasMore) {
            readNext(); // or an answer was lost
        }
    }

    private boolean containsLast(ReadResultSet<GenericRecord> found) {
        if (found.readCount() == 0 || found.getSequence(0) != next - 1) {
            return false;
        }
        try {
            return lastId == null || lastId.equals(EventRecords.id(record(found, 0)));
        } catch (RuntimeException e) {
            return true; // the connection is gone; what comes after it is looked at with doubt
        }
    }

    /** Whether the one that was read last was overwritten by newer ones. */
    private boolean isLastOverwritten(ReadResultSet<GenericRecord> found) {
        return found.readCount() > 0 && found.getSequence(0) > next - 1;
    }

    private synchronized boolean isCurrentRead(long asked) {
        return asked == currentRead;
    }

    private void receive(long asked, ReadResult answer) {
        if (!isCurrentRead(asked)) {
            return; // before it is decoded
        }
        List<RingRecord> found = new ArrayList<>();
        boolean failed = answer.found() == null || !decode(answer.found(), found);
        boolean some;
        synchronized (this) {
            if (asked != currentRead) {
                return;
            }
            reading = false;
            if (failed) {
                log.debug("Reading stream {} from {} failed", stream, requestedFrom, answer.failure());
                verifyLast = true;
                failedAt = nanos.getAsLong();
                return;
            }
            accept(found);
            some = !buffered.isEmpty();
            readNext();
        }
        if (some) {
            onArrival.accept(stream);
        }
    }

    /** @return false if that failed for the connection's sake */
    private boolean decode(ReadResultSet<GenericRecord> answer, List<RingRecord> found) {
        for (int i = 0; i < answer.readCount(); i++) {
            Object record;
            try {
                record = record(answer, i);
            } catch (RuntimeException e) {
                return false;
            }
            found.add(new RingRecord(
                    answer.getSequence(i),
                    EventRecords.id(record),
                    records.read(record, stream).orElse(null)));
        }
        return true;
    }

    /**
     * @return null if it is not a Compact record; it is refused
     * @throws RuntimeException if it cannot be decoded for the connection's sake
     */
    private static @Nullable Object record(ReadResultSet<GenericRecord> answer, int index) {
        try {
            return answer.get(index);
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
        for (RingRecord one : expected != null ? found.subList(1, found.size()) : found) {
            next = one.ringIndex() + 1;
            lastId = one.id();
            EventMessage event = one.event();
            if (event != null && !wasDelivered(event)) {
                buffered.addLast(event);
                lastDelivered = event.logPosition();
            }
        }
    }

    private void restartFromOldest() {
        next = 0; // Hazelcast moves that to the oldest
        lastId = null;
        verifyLast = false;
        skippingDelivered = true;
    }

    /** Only what stands in front of the first one that is new: behind it, it is a duplicate that was published. */
    private boolean wasDelivered(EventMessage event) {
        LogPosition last = lastDelivered;
        LogPosition place = event.logPosition();
        skippingDelivered = skippingDelivered
                && last != null
                && place.log().id().equals(last.log().id())
                && place.log().epoch() <= last.log().epoch()
                && (place.log().epoch() < last.log().epoch() || place.position() <= last.position());
        return skippingDelivered;
    }

    private record ReadResult(@Nullable ReadResultSet<GenericRecord> found, @Nullable Throwable failure) {}

    /** @param event null if it was refused */
    private record RingRecord(long ringIndex, @Nullable String id, @Nullable EventMessage event) {}
}

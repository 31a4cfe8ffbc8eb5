package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.UnpublishableEventException;
import io.holdfast.wire.WireUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts announcements, heads, positions and pages to and from Compact records with plain fields. */
final class MessageRecords {

    private MessageRecords() {}

    static GenericRecord write(Announcement announcement) {
        return GenericRecordBuilder.compact("holdfast.Announcement")
                .setString("service", announcement.service())
                .setString("replica", announcement.replica())
                .setArrayOfString("addresses", announcement.addresses().toArray(String[]::new))
                .setArrayOfString("streams", announcement.streams().toArray(String[]::new))
                .setArrayOfString("components", announcement.components().toArray(String[]::new))
                .setArrayOfGenericRecord(
                        "heads",
                        announcement.heads().stream().map(MessageRecords::write).toArray(GenericRecord[]::new))
                .build();
    }

    static Announcement announcement(GenericRecord record) {
        return new Announcement(
                record.getString("service"),
                record.getString("replica"),
                List.of(record.getArrayOfString("addresses")),
                List.of(record.getArrayOfString("streams")),
                List.of(record.getArrayOfString("components")),
                Arrays.stream(record.getArrayOfGenericRecord("heads"))
                        .map(MessageRecords::head)
                        .toList());
    }

    static GenericRecord write(StreamHead head) {
        return GenericRecordBuilder.compact("holdfast.Head")
                .setString("stream", head.stream())
                .setGenericRecord("reached", write(head.streamPosition()))
                .build();
    }

    static StreamHead head(GenericRecord record) {
        StreamPosition reached = position(record.getGenericRecord("reached"));
        return new StreamHead(record.getString("stream"), reached.log(), reached.position(), reached.id());
    }

    static GenericRecord write(StreamPosition position) {
        return GenericRecordBuilder.compact("holdfast.Position")
                .setString("logId", position.log().id().toString())
                .setInt32("epoch", position.log().epoch())
                .setInt64("position", position.position())
                .setString("id", position.id() == null ? null : position.id().toString())
                .build();
    }

    static StreamPosition position(GenericRecord record) {
        String id = record.getString("id");
        return new StreamPosition(
                new LogIdentity(UUID.fromString(record.getString("logId")), record.getInt32("epoch")),
                record.getInt64("position"),
                id == null ? null : UUID.fromString(id));
    }

    static GenericRecord write(StreamPage page, EventRecords events) {
        return GenericRecordBuilder.compact("holdfast.Page")
                .setGenericRecord("head", write(page.head()))
                .setArrayOfInt32(
                        "epochs", page.epochs().stream().mapToInt(Epoch::number).toArray())
                .setArrayOfInt64(
                        "epochsBeganAt",
                        page.epochs().stream().mapToLong(Epoch::startPosition).toArray())
                .setArrayOfGenericRecord(
                        "events",
                        page.events().stream()
                                .map(event -> write(event, events))
                                .toArray(GenericRecord[]::new))
                .build();
    }

    /**
     * Sends an unpublishable event without its content, as the publisher does after several attempts: components that
     * handle it then park it instead of missing it.
     */
    private static GenericRecord write(EventMessage event, EventRecords events) {
        try {
            return events.write(event);
        } catch (UnpublishableEventException e) {
            return events.write(event.withoutContent());
        }
    }

    /** @throws WireUnavailableException if a record is rejected: the page is then not the source's */
    static StreamPage page(GenericRecord record, EventRecords events) {
        StreamHead head = head(record.getGenericRecord("head"));
        int[] numbers = record.getArrayOfInt32("epochs");
        long[] beganAt = record.getArrayOfInt64("epochsBeganAt");
        List<Epoch> epochs = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            epochs.add(new Epoch(numbers[i], beganAt[i]));
        }
        List<EventMessage> found = new ArrayList<>();
        for (GenericRecord event : record.getArrayOfGenericRecord("events")) {
            found.add(events.read(event, head.stream())
                    .orElseThrow(() -> new WireUnavailableException("a page of stream " + head.stream()
                            + " contains a rejected record; the request is repeated")));
        }
        return new StreamPage(head, epochs, found);
    }

    static @Nullable Long write(StartAt start) {
        Instant time = start.time();
        if (time == null) {
            return null;
        }
        try {
            return EventRecords.Times.micros(time);
        } catch (ArithmeticException e) {
            return time.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    static StartAt start(String from, @Nullable Long micros) {
        return new StartAt(StartAt.From.valueOf(from), micros == null ? null : EventRecords.Times.instant(micros));
    }
}

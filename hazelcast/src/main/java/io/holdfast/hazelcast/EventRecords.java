package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.hazelcast.RejectedRecords.Reason;
import io.holdfast.wire.RecordSigning;
import io.holdfast.wire.UnpublishableEventException;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts events to and from Compact records with plain fields, which monitors in any language can read. Generic
 * records need no registered serializer, so they pass through any member or client. Thread-safe.
 */
final class EventRecords {

    static final String TYPE = "holdfast.Event";

    /**
     * Template: a builder that starts from a record reuses its schema; an empty builder creates and hashes a new one.
     */
    private static final GenericRecord EMPTY = GenericRecordBuilder.compact(TYPE)
            .setString("id", null)
            .setString("type", null)
            .setString("source", null)
            .setString("stream", null)
            .setString("key", null)
            .setInt64("sequence", 0)
            .setInt64("occurredAtMicros", 0)
            .setInt32("occurredAtNanos", 0)
            .setArrayOfString("metadataNames", null)
            .setArrayOfString("metadataValues", null)
            .setInt32("revision", 0)
            .setString("payload", null)
            .setString("logId", null)
            .setInt32("epoch", 0)
            .setInt64("position", 0)
            .setInt64("previousPosition", 0)
            .setString("previousId", null)
            .setString("signatureKeyId", null)
            .setArrayOfInt8("signature", null)
            .build();

    private final RecordSigning signing;
    private final RejectedRecords rejected;

    EventRecords(RecordSigning signing, RejectedRecords rejected) {
        this.signing = signing;
        this.rejected = rejected;
    }

    /** @throws UnpublishableEventException if the event would not arrive unchanged */
    GenericRecord write(EventMessage event) {
        try {
            return record(event);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new UnpublishableEventException(
                    event.id(),
                    "event " + event.id() + " at position " + event.position() + " of stream " + event.stream()
                            + " cannot be written to the wire: " + e.getMessage(),
                    e);
        }
    }

    /** Returns the event; empty if the record is rejected, which is counted and logged. */
    Optional<EventMessage> read(@Nullable Object found, String stream) {
        if (!(found instanceof GenericRecord record)) {
            return reject(stream, null, Reason.CONTENT, "it is not a Compact record");
        }
        EventMessage event;
        RecordSigning.Signature signature;
        try {
            event = event(record);
            signature = signature(record);
        } catch (RuntimeException e) { // other clients may write anything into the ringbuffer
            return reject(
                    stream,
                    null,
                    Reason.CONTENT,
                    "it cannot be decoded, " + e.getClass().getSimpleName());
        }
        if (!event.stream().equals(stream)) {
            return reject(stream, event, Reason.CONTENT, "it belongs to stream " + event.stream());
        }
        Optional<String> rejection = signing.rejection(event, signature);
        return rejection.isPresent() ? reject(stream, event, Reason.SIGNATURE, rejection.get()) : Optional.of(event);
    }

    /** Returns the event id that the record claims, without verifying it. */
    static @Nullable String id(@Nullable Object found) {
        try {
            return found instanceof GenericRecord record ? record.getString("id") : null;
        } catch (RuntimeException e) {
            return null;
        }
    }

    private Optional<EventMessage> reject(String stream, @Nullable EventMessage event, Reason reason, String detail) {
        String position = event == null ? "unknown" : String.valueOf(event.position());
        rejected.add("a record of stream " + stream + " at position " + position, reason, detail);
        return Optional.empty();
    }

    private GenericRecord record(EventMessage event) {
        LogPosition position = event.logPosition();
        Map<String, String> metadata = event.metadata().asMap();
        RecordSigning.Signature signature = signing.sign(event).orElse(null);
        return EMPTY.newBuilder()
                .setString("id", event.id().toString())
                .setString("type", requireWellFormed(event.type()))
                .setString("source", requireWellFormed(event.source()))
                .setString("stream", requireWellFormed(event.stream()))
                .setString("key", requireWellFormed(event.key()))
                .setInt64("sequence", event.version())
                .setInt64("occurredAtMicros", Times.micros(event.occurredAt()))
                .setInt32("occurredAtNanos", Times.nanosOfMicro(event.occurredAt()))
                .setArrayOfString("metadataNames", requireAllWellFormed(metadata.keySet()))
                .setArrayOfString("metadataValues", requireAllWellFormed(metadata.values()))
                .setInt32("revision", event.payload().revision())
                .setString("payload", requireWellFormed(event.payload().json()))
                .setString("logId", position.log().id().toString())
                .setInt32("epoch", position.log().epoch())
                .setInt64("position", position.position())
                .setInt64("previousPosition", position.previousPosition())
                .setString(
                        "previousId",
                        position.previousId() == null
                                ? null
                                : position.previousId().toString())
                .setString("signatureKeyId", signature == null ? null : signature.keyId())
                .setArrayOfInt8("signature", signature == null ? null : signature.bytes())
                .build();
    }

    private static EventMessage event(GenericRecord record) {
        String previous = record.getString("previousId");
        Instant occurredAt =
                Times.instant(record.getInt64("occurredAtMicros")).plusNanos(record.getInt32("occurredAtNanos"));
        return new EventMessage(
                UUID.fromString(record.getString("id")),
                record.getString("source"),
                record.getString("stream"),
                record.getString("key"),
                record.getInt64("sequence"),
                occurredAt,
                metadata(record.getArrayOfString("metadataNames"), record.getArrayOfString("metadataValues")),
                new Payload(record.getString("type"), record.getInt32("revision"), record.getString("payload")),
                new LogPosition(
                        new LogIdentity(UUID.fromString(record.getString("logId")), record.getInt32("epoch")),
                        record.getInt64("position"),
                        record.getInt64("previousPosition"),
                        previous == null ? null : UUID.fromString(previous)));
    }

    private static Metadata metadata(String[] names, String[] values) {
        Map<String, String> metadata = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            metadata.put(names[i], values[i]);
        }
        return Metadata.of(metadata);
    }

    private static RecordSigning.@Nullable Signature signature(GenericRecord record) {
        String keyId = record.getString("signatureKeyId");
        byte[] bytes = record.getArrayOfInt8("signature");
        return keyId == null || bytes == null ? null : new RecordSigning.Signature(keyId, bytes);
    }

    private static String[] requireAllWellFormed(Iterable<String> texts) {
        List<String> checked = new ArrayList<>();
        texts.forEach(text -> checked.add(requireWellFormed(text)));
        return checked.toArray(String[]::new);
    }

    /** Hazelcast encodes as UTF-8, which silently replaces half of a surrogate pair by a question mark. */
    private static String requireWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isHighSurrogate(unit)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(unit)) {
                throw new IllegalArgumentException(
                        "a text contains half of a surrogate pair, which UTF-8 cannot encode");
            }
        }
        return text;
    }

    /** Converts times to and from microseconds since 1970. */
    static final class Times {

        private Times() {}

        /** @throws ArithmeticException if the time is more than 290,000 years away */
        static long micros(Instant time) {
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1000);
        }

        /** Returns the nanoseconds within the microsecond. */
        static int nanosOfMicro(Instant time) {
            return time.get(ChronoField.NANO_OF_SECOND) % 1000;
        }

        static Instant instant(long micros) {
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }
    }
}

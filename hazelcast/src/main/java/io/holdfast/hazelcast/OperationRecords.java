package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.holdfast.wire.RecordSigning;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts requests and replies to and from Compact records, signs and verifies them. A signature covers every field:
 * a reply cannot be redirected to another topic, and the reply to one request does not fit another. Thread-safe.
 */
final class OperationRecords {

    static final String TYPE = "holdfast.Operation";

    /** Template, because a builder that starts from a record reuses its schema. */
    private static final GenericRecord EMPTY = GenericRecordBuilder.compact(TYPE)
            .setString("kind", null)
            .setString("attempt", null)
            .setString("replyTo", null)
            .setString("service", null)
            .setString("replica", null)
            .setString("id", null)
            .setString("operation", null)
            .setString("body", null)
            .setString("keyId", null)
            .setArrayOfInt8("signature", null)
            .build();

    private final RecordSigning signing;
    private final RejectedRecords rejected;

    OperationRecords(RecordSigning signing, RejectedRecords rejected) {
        this.signing = signing;
        this.rejected = rejected;
    }

    GenericRecord write(OperationMessage message) {
        RecordSigning.Signature signature =
                signing.sign(OperationMessage.LAYOUT, message.signedFields()).orElse(null);
        return EMPTY.newBuilder()
                .setString("kind", message.kind())
                .setString("attempt", message.attempt())
                .setString("replyTo", message.replyTo())
                .setString("service", message.service())
                .setString("replica", message.replica())
                .setString("id", message.id())
                .setString("operation", message.operation())
                .setString("body", message.body())
                .setString("keyId", signature == null ? null : signature.keyId())
                .setArrayOfInt8("signature", signature == null ? null : signature.bytes())
                .build();
    }

    /**
     * Returns the message; empty if the record is rejected for its signature, which is counted and logged.
     *
     * @param what the record, as the receiver knows it; a rejected one may claim anything
     * @throws RuntimeException if a field is missing; other clients may publish anything
     */
    Optional<OperationMessage> verified(GenericRecord record, String what) {
        OperationMessage message = read(record);
        Optional<String> rejection =
                signing.rejection(OperationMessage.LAYOUT, message.signedFields(), signature(record));
        rejection.ifPresent(reason -> rejected.add(what, RejectedRecords.Reason.SIGNATURE, reason));
        return rejection.isPresent() ? Optional.empty() : Optional.of(message);
    }

    /**
     * Returns the message without verifying it.
     *
     * @throws RuntimeException if a field is missing
     */
    static OperationMessage read(GenericRecord record) {
        return new OperationMessage(
                text(record, "kind"),
                text(record, "attempt"),
                text(record, "replyTo"),
                text(record, "service"),
                text(record, "replica"),
                text(record, "id"),
                text(record, "operation"),
                text(record, "body"));
    }

    private static String text(GenericRecord record, String field) {
        return Objects.requireNonNull(record.getString(field), field);
    }

    private static RecordSigning.@Nullable Signature signature(GenericRecord record) {
        String keyId = record.getString("keyId");
        byte[] bytes = record.getArrayOfInt8("signature");
        return keyId == null || bytes == null ? null : new RecordSigning.Signature(keyId, bytes);
    }
}

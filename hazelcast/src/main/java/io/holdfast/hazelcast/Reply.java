package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Request}.
 *
 * @param id of the question
 * @param error what the source threw; null if it answered
 * @param page the answer to a request for a page
 * @param start the answer to a registration
 */
record Reply(String id, @Nullable String error, @Nullable GenericRecord page, @Nullable GenericRecord start) {

    GenericRecord write() {
        return GenericRecordBuilder.compact("holdfast.Reply")
                .setString("id", id)
                .setString("error", error)
                .setGenericRecord("page", page)
                .setGenericRecord("start", start)
                .build();
    }

    static Reply read(GenericRecord record) {
        return new Reply(
                record.getString("id"),
                record.getString("error"),
                record.getGenericRecord("page"),
                record.getGenericRecord("start"));
    }
}

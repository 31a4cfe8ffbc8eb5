package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The response to a {@link Request}.
 *
 * @param id the id of the request
 * @param error the exception that the source threw; null if it succeeded
 * @param page the response to a page request
 * @param start the response to a registration
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

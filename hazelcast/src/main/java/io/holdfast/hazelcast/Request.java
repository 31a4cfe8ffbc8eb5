package io.holdfast.hazelcast;

import com.hazelcast.nio.serialization.FieldKind;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request or report to the source of a stream.
 *
 * @param id correlates the reply with its request
 * @param replyTo the topic on which the requester receives the reply; null for a report, which has none
 * @param content one of {@link PageRequest}, {@link GroupRegistration} and {@link GroupReport}
 */
record Request(String id, @Nullable String replyTo, Record content) {

    private static final String PREFIX = "holdfast.requests.";

    static String topic(String stream) {
        return PREFIX + stream;
    }

    GenericRecord write() {
        GenericRecordBuilder record = GenericRecordBuilder.compact("holdfast.Request")
                .setString("id", id)
                .setString("replyTo", replyTo)
                .setString("kind", content.getClass().getSimpleName());
        PageRequest page = content instanceof PageRequest it ? it : null;
        GroupRegistration registration = content instanceof GroupRegistration it ? it : null;
        GroupReport report = content instanceof GroupReport it ? it : null;
        String stream = page != null ? page.stream() : null;
        String group = null;
        if (registration != null) {
            stream = registration.stream();
            group = registration.group();
        }
        if (report != null) {
            stream = report.stream();
            group = report.group();
        }
        return record.setString("stream", stream)
                .setInt64("after", page == null ? 0 : page.after())
                .setInt32("limit", page == null ? 0 : page.limit())
                .setString("group", group)
                .setString(
                        "startFrom",
                        registration == null
                                ? null
                                : registration.start().from().name())
                .setNullableInt64(
                        "startTimeMicros", registration == null ? null : MessageRecords.write(registration.start()))
                .setGenericRecord("start", report == null ? null : writeNullable(report.start()))
                .setGenericRecord("reached", report == null ? null : MessageRecords.write(report.reached()))
                .build();
    }

    static Request read(GenericRecord record) {
        String stream = record.getString("stream");
        String kind = record.getString("kind");
        Record content =
                switch (kind) {
                    case "PageRequest" -> new PageRequest(stream, record.getInt64("after"), record.getInt32("limit"));
                    case "GroupRegistration" ->
                        new GroupRegistration(
                                record.getString("group"),
                                stream,
                                MessageRecords.start(
                                        record.getString("startFrom"), record.getNullableInt64("startTimeMicros")));
                    case "GroupReport" ->
                        new GroupReport(
                                record.getString("group"),
                                stream,
                                start(record),
                                MessageRecords.position(record.getGenericRecord("reached")));
                    default -> throw new IllegalArgumentException("unknown kind of request: " + kind);
                };
        return new Request(record.getString("id"), record.getString("replyTo"), content);
    }

    private static @Nullable GenericRecord writeNullable(@Nullable StreamPosition position) {
        return position == null ? null : MessageRecords.write(position);
    }

    /** Returns the start of a reporting group; null in the report of an earlier release, which has no such field. */
    private static @Nullable StreamPosition start(GenericRecord record) {
        boolean isKnown = record.getFieldKind("start") == FieldKind.COMPACT;
        GenericRecord start = isKnown ? record.getGenericRecord("start") : null;
        return start == null ? null : MessageRecords.position(start);
    }
}

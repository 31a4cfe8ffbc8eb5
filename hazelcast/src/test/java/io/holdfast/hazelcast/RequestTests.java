package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.GroupReport;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RequestTests {

    private final StreamPosition reached =
            new StreamPosition(new LogIdentity(UUID.randomUUID(), 1), 7, UUID.randomUUID());

    @Test
    void readsReportsOfEarlierReleases() {
        GenericRecord withoutStart = GenericRecordBuilder.compact("holdfast.Request")
                .setString("id", "1")
                .setString("replyTo", null)
                .setString("kind", "GroupReport")
                .setString("stream", "notes")
                .setString("group", "shop/p")
                .setGenericRecord("reached", MessageRecords.write(reached))
                .build();

        assertThat(Request.read(withoutStart).content()).isEqualTo(new GroupReport("shop/p", "notes", null, reached));
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.SegmentSetup;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TokenJsonTests {

    private final Map<String, StreamPosition> start =
            Map.of("notes", StreamPosition.beginning(new LogIdentity(UUID.randomUUID(), 1)));

    @Test
    void storesWhereEachGenerationStarted() {
        SegmentSetup setup = SegmentSetup.ofMask(1).startedAt(start).nextGeneration(Map.of());

        assertThat(TokenJson.setup(TokenJson.setup(setup))).isEqualTo(setup);
        assertThat(setup.findStart(1, "notes")).contains(start.get("notes"));
        assertThat(setup.findStart(2, "notes")).isEmpty();
    }

    @Test
    void readsSetupsOfEarlierReleases() {
        String stored = "{\"mask\":1,\"generation\":2,\"policy\":\"key:1\",\"components\":{},\"paused\":false}";

        assertThat(TokenJson.setup(stored).starts()).isEmpty();
    }

    /** A replica of this release runs beside one of the next. */
    @Test
    void ignoresFieldsOfLaterReleases() {
        String stored = TokenJson.setup(SegmentSetup.WHOLE).replaceFirst("\\{", "{\"later\":{\"1\":{}},");

        assertThat(TokenJson.setup(stored)).isEqualTo(SegmentSetup.WHOLE);
    }
}

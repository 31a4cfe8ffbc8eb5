package io.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTests {

    private static final Instant TIME = Instant.parse("2026-03-04T05:06:07.089Z");

    @Test
    void randomIdsAreVersionSevenAndStartWithTheTimestamp() {
        UUID id = EventIds.random(TIME);

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(TIME.toEpochMilli());
    }

    @Test
    void derivedIdsAreDeterministicAndKeepTheTimestampOfTheirCause() {
        UUID cause = EventIds.random(TIME);

        UUID derived = EventIds.derive(cause, "orders/fulfilment/payments", 0);

        assertThat(derived).isEqualTo(EventIds.derive(cause, "orders/fulfilment/payments", 0));
        assertThat(derived.version()).isEqualTo(7);
        assertThat(derived.variant()).isEqualTo(2);
        assertThat(derived.getMostSignificantBits() >>> 16).isEqualTo(TIME.toEpochMilli());
    }

    /** The values are part of the contract: if they changed, duplicates would no longer be detected. */
    @Test
    void derivedIdsDoNotChangeBetweenReleases() {
        UUID cause = UUID.fromString("0195f1e2-3c4d-7000-8000-000000000001");

        assertThat(EventIds.derive(cause, "a/b/c", 0)).hasToString("0195f1e2-3c4d-7353-a63c-fe6c24881e78");
        assertThat(EventIds.ofCommand("orders", "key-1")).hasToString("d983d819-3ecc-721e-a293-7b9ca8865a1c");
    }

    @Test
    void idsOfDifferentCausesComponentsAndIndexesDiffer() {
        Set<UUID> ids = new HashSet<>();
        for (int cause = 0; cause < 100; cause++) {
            UUID causeId = EventIds.random(TIME);
            for (int index = 0; index < 10; index++) {
                ids.add(EventIds.derive(causeId, "a", index));
                ids.add(EventIds.derive(causeId, "b", index));
            }
        }

        assertThat(ids).hasSize(2_000);
    }

    @Test
    void commandsOfDifferentScopesNeverShareAnId() {
        assertThat(EventIds.ofCommand("ab", "c")).isNotEqualTo(EventIds.ofCommand("a", "bc"));
        assertThat(EventIds.ofCommand("a", "b")).isEqualTo(EventIds.ofCommand("a", "b"));
    }

    /** As UTF-8, both would have a question mark, and the second command would get the events of the first one. */
    @ParameterizedTest
    @ValueSource(strings = {"order \ud83d", "order \ud83e", "\ude00"})
    void refusesACommandKeyThatCannotBeEncoded(String key) {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> EventIds.ofCommand("orders", key))
                .withMessage(
                        "the idempotency key of a command must not contain an unpaired surrogate, which makes it equal"
                                + " to other keys; cut texts only between whole characters");
        assertThatExceptionOfType(PermanentException.class).isThrownBy(() -> EventIds.ofCommand(key, "1"));
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.token.Segment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts are stored as computed, so a change of letters locks the head from its first read to its commit. */
@ParameterizedClass
@EnumSource(Dialect.class)
class LetterChangeLockTests {

    private static final Timeouts SHORT = new Timeouts(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final Segment SEGMENT = new Segment("billing", 0);
    private static final String COMPONENT = "kit/billing/mail";
    private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

    private final TestDatabase database;
    private final JdbcStore store;
    private final JdbcStore other;

    LetterChangeLockTests(Dialect dialect) {
        this.database = TestDatabase.acquire(dialect);
        this.store = JdbcStore.in("kit", database.dataSource()).open();
        this.other = JdbcStore.in("kit", database.dataSource()).timeouts(SHORT).open();
        store.tokenStore().initialize(SEGMENT, Map.of());
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
        database.release();
    }

    @Test
    void resetWaitsForALetterChange() {
        store.deadLetterStore().change("billing", reads -> {
            assertThatExceptionOfType(RetryableException.class)
                    .isThrownBy(() -> other.tokenStore().reset("billing", 1, Map.of()))
                    .withMessageStartingWith("resetting billing failed");
            return LetterWrites.NONE;
        });

        assertThat(other.tokenStore().reset("billing", 1, Map.of())).isTrue();
    }

    @Test
    void changeWaitsForAnotherAndCountsFromItsResult() {
        store.deadLetterStore().change("billing", reads -> {
            assertThatExceptionOfType(RetryableException.class)
                    .isThrownBy(() -> other.deadLetterStore().change("billing", theirs -> parking("b")))
                    .withMessageStartingWith("changing letters of billing failed");
            return parking("a");
        });
        other.deadLetterStore().change("billing", reads -> parking("b"));

        assertThat(store.deadLetterStore().counts(COMPONENT).retrying()).isEqualTo(2);
    }

    private static LetterWrites parking(String sequence) {
        SequenceId id = new SequenceId(COMPONENT, sequence);
        return new LetterWrites(
                List.of(), List.of(), List.of(), List.of(ParkedSequence.start(id, "billing", 7, NOW)), List.of());
    }
}

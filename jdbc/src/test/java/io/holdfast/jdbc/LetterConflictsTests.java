package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The database detects a letter that exists already. That is neither a duplicate event, which would mean that the unit
 * was committed before, nor a conflict, after which the unit would be decided again without end.
 */
@ParameterizedClass
@EnumSource(Dialect.class)
class LetterConflictsTests {

    private static final Segment SEGMENT = new Segment("billing", 0);
    private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

    private final TestDatabase database;
    private final JdbcStore store;
    private final TokenClaim claim;

    LetterConflictsTests(Dialect dialect) {
        this.database = TestDatabase.acquire(dialect);
        this.store = JdbcStore.in("kit", database.dataSource()).open();
        store.tokenStore().initialize(SEGMENT, Map.of());
        this.claim =
                store.tokenStore().claim(SEGMENT, "one", Duration.ofMinutes(1)).orElseThrow();
    }

    @AfterEach
    void close() {
        store.close();
        database.release();
    }

    @Test
    void rejectsOnlyTheUnitThatParksTheEventAgain() {
        EventMessage event = event();
        assertThat(write(parking(event, "a", 0))).isEmpty();

        List<Rejection> rejections = write(appending(), parking(event, "b", 1));

        assertThat(rejections).singleElement().satisfies(rejection -> {
            assertThat(rejection.unit()).isEqualTo(1);
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
            assertThat(rejection.cause())
                    .hasMessage("event " + event.id() + " is already parked by component kit/billing/mail");
        });
    }

    @Test
    void rejectsALetterWhoseNumberExists() {
        assertThat(write(parking(event(), "a", 0))).isEmpty();

        List<Rejection> rejections = write(appending(), parking(event(), "a", 1));

        assertThat(rejections).singleElement().satisfies(rejection -> {
            assertThat(rejection.unit()).isEqualTo(1);
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
        });
    }

    private List<Rejection> write(UnitWrites... units) {
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            List<Rejection> rejections = session.write(List.of(units));
            if (rejections.isEmpty()) {
                session.commit();
            }
            return rejections;
        }
    }

    private static UnitWrites appending() {
        EventDraft draft = new EventDraft(
                EventIds.random(NOW),
                "kit",
                new AggregateKey("notes", "a"),
                1,
                NOW,
                Metadata.none(),
                new Payload("Noted", 1, "{}"));
        return new UnitWrites(List.of(draft), List.of(), List.of(), Optional.empty());
    }

    private UnitWrites parking(EventMessage event, String sequence, long fromVersion) {
        SequenceId id = new SequenceId("kit/billing/mail", sequence);
        ParkedSequence parked = new ParkedSequence(
                id, "billing", 7, 1, 1, 1, SequenceState.PENDING, 1, NOW, NOW, null, null, null, null);
        LetterWrites letters = new LetterWrites(
                List.of(DeadLetter.notAttempted(id, 1, event, NOW)), List.of(), List.of(), List.of(parked), List.of());
        TokenAdvance advance = TokenAdvances.next(claim, fromVersion, Map.of());
        return new UnitWrites(List.of(), List.of(), List.of(), Optional.of(advance), letters);
    }

    private EventMessage event() {
        LogPosition position = new LogPosition(store.eventLog().identity(), 1, 0, null);
        return new EventMessage(
                EventIds.random(NOW),
                "other",
                "orders",
                "o",
                1,
                NOW,
                Metadata.none(),
                new Payload("Ordered", 1, "{}"),
                position);
    }
}

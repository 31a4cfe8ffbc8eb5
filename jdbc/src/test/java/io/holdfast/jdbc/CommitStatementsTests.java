package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitSession;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.RowWrite;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The number of statements for many segments on PostgreSQL, where every statement is a round trip. */
class CommitStatementsTests {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int SEGMENTS = 16;
    private static final String COMPONENT = "kit/billing/mail";
    private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final TestDatabase database = TestDatabase.acquire(Dialect.POSTGRESQL);
    private final JdbcStore store =
            JdbcStore.in("kit", recording(database.dataSource())).open();
    private final List<TokenClaim> claims = new ArrayList<>();

    @BeforeEach
    void claimAll() {
        StreamPosition start = StreamPosition.beginning(store.eventLog().identity());
        for (Token token : store.tokenStore().initialize("billing", SEGMENTS, Map.of("notes", start))) {
            claims.add(store.tokenStore().claim(token.segment(), "one", LEASE).orElseThrow());
        }
        statements.clear();
    }

    @AfterEach
    void close() {
        store.close();
        database.release();
    }

    @Test
    void advancesAllSegmentsWithAFixedNumberOfStatementsAndNoneOnLetters() {
        List<UnitWrites> units = claims.stream().map(this::advance).toList();

        commit(units);

        assertThat(statements).hasSize(4); // lock the head, lock the tokens, advance the head, write the tokens
        assertThat(statements).noneMatch(sql -> sql.contains("letter") || sql.contains("holdfast_sequence"));
        assertThat(store.tokenStore().findAll("billing"))
                .hasSize(SEGMENTS)
                .allMatch(claimed -> claimed.token().version() == 1);
    }

    @Test
    void looksUpTheVersionsOfNewRowsOnce() {
        RowKey row = new RowKey("board", "new");
        RowWrite write = new RowWrite(row, 0, 7, new Payload("Note", 1, "{}"));

        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            assertThat(session.findChanged(new ReadVersions(Map.of(), Map.of(row, 0L)))
                            .isEmpty())
                    .isTrue();
            assertThat(session.write(List.of(new UnitWrites(List.of(), List.of(write), List.of(), Optional.empty()))))
                    .isEmpty();
            session.commit();
        }

        assertThat(statements)
                .filteredOn(sql -> sql.contains("join holdfast_row"))
                .hasSize(1);
        assertThat(store.viewStore().find(List.of(row)))
                .extracting(Row::version)
                .containsExactly(7L);
    }

    @Test
    void writesAnyNumberOfLettersWithAFixedNumberOfStatements() {
        commit(parking(0, 1));
        List<String> ofOne = List.copyOf(statements);
        statements.clear();

        commit(parking(1, 500));

        assertThat(statements).isEqualTo(ofOne);
        assertThat(store.deadLetterStore().counts(COMPONENT).letters()).isEqualTo(501);
    }

    @Test
    void findsLettersOfManySagasWithOneStatementAndOfNoneWithout() {
        List<String> sagas =
                IntStream.range(0, 1_000).mapToObj(number -> "saga-" + number).toList();

        assertThat(store.deadLetterStore().findSagaLetters(sagas, 10)).isEmpty();
        assertThat(statements).hasSize(1);

        assertThat(store.deadLetterStore().findSagaLetters(List.of(), 10)).isEmpty();
        assertThat(statements).hasSize(1);
    }

    @Test
    void renewsAllClaimsWithOnePreparedStatement() {
        assertThat(store.tokenStore().renew(claims, LEASE)).containsExactlyInAnyOrderElementsOf(claims);

        assertThat(statements).hasSize(1);
    }

    private void commit(List<UnitWrites> units) {
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            assertThat(session.write(units)).isEmpty();
            session.commit();
        }
    }

    private List<UnitWrites> parking(long version, int count) {
        List<DeadLetter> letters = new ArrayList<>();
        List<ParkedSequence> sequences = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SequenceId id = new SequenceId(COMPONENT, version + "-" + i);
            letters.add(DeadLetter.notAttempted(id, 0, event(i), NOW));
            sequences.add(ParkedSequence.start(id, "billing", i, NOW));
        }
        LetterWrites writes = new LetterWrites(letters, List.of(), List.of(), sequences, List.of())
                .withLimits(Map.of(COMPONENT, QueueLimits.DEFAULT));
        TokenAdvance advance = TokenAdvances.next(claims.get(0), version, Map.of());
        return List.of(new UnitWrites(List.of(), List.of(), List.of(), Optional.of(advance), writes));
    }

    private EventMessage event(long previousVersion) {
        LogPosition position = new LogPosition(store.eventLog().identity(), 1, 0, null);
        return new EventMessage(
                EventIds.random(NOW),
                "other",
                "orders",
                "o",
                previousVersion + 1,
                NOW,
                Metadata.none(),
                new Payload("Ordered", 1, "{}"),
                position);
    }

    private UnitWrites advance(TokenClaim claim) {
        StreamPosition reached = new StreamPosition(store.eventLog().identity(), 1, null);
        TokenAdvance advance = TokenAdvances.next(claim, 0, Map.of("notes", reached));
        return new UnitWrites(List.of(), List.of(), List.of(), Optional.of(advance));
    }

    private DataSource recording(DataSource dataSource) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object result = call(() -> method.invoke(dataSource, arguments));
                    return result instanceof Connection connection ? recording(connection) : result;
                });
    }

    private Connection recording(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.add((String) arguments[0]);
                    }
                    return call(() -> method.invoke(connection, arguments));
                });
    }

    private static Object call(Call call) throws Throwable {
        try {
            return call.run();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A call by reflection. */
    private interface Call {
        Object run() throws ReflectiveOperationException;
    }
}

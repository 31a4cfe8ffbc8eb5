package io.holdfast.jdbc;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.commit.UnitOutcome;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.event.Metadata;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.view.RowUpdate;
import io.holdfast.view.View;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A session needs no connection but its own, neither under the head lock nor before. Otherwise, sessions that have all
 * connections of a small pool would wait for each other.
 */
@ParameterizedClass
@EnumSource(Dialect.class)
class OneConnectionPerSessionTests {

    private static final int THREADS = 3;
    private static final View<Noted> BOARD = new View<>("board", Noted.class);

    private final TestDatabase database;
    private final JdbcStore setup;

    OneConnectionPerSessionTests(Dialect dialect) {
        this.database = TestDatabase.acquire(dialect);
        this.setup = JdbcStore.in("kit", database.dataSource()).open();
    }

    @AfterEach
    void close() {
        setup.close();
        database.release();
    }

    private HikariDataSource pool(int connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(((HikariDataSource) database.dataSource()).getJdbcUrl());
        pool.setUsername(((HikariDataSource) database.dataSource()).getUsername());
        pool.setMaximumPoolSize(connections);
        pool.setConnectionTimeout(1_000);
        return pool;
    }

    private static EngineUnderTest engine(JdbcStore store) {
        return new EngineUnderTest(store, Clock.systemUTC());
    }

    @Test
    void commitsWithLastConnectionOfPool() throws SQLException {
        try (HikariDataSource pool = pool(2);
                JdbcStore store = JdbcStore.in("kit", pool).open();
                Connection taken = pool.getConnection()) {
            assertThat(taken.isValid(10)).isTrue();
            EngineUnderTest replica = engine(store);
            EngineUnderTest other = engine(setup);
            replica.run(deposit("a", 10));
            PartId id = new PartId(UUID.randomUUID(), "kit/part");
            CompletableFuture<UnitOutcome> first = other.submit(CommitUnit.of(part(id, "0")));
            other.run(withdraw("a", 5));
            assertThat(first).isCompleted();

            CompletableFuture<CommandResult> conflicting = replica.submit(withdraw("a", 5));
            CompletableFuture<CommandResult> keyed = replica.submit("key", deposit("uncached", 1));
            CompletableFuture<UnitOutcome> duplicate = replica.submit(CommitUnit.of(part(id, "1")));
            replica.commit();

            assertThat(conflicting.join().events()).hasSize(1);
            assertThat(keyed.join().events()).hasSize(1);
            assertThat(((UnitOutcome.Committed) duplicate.join()).parts().get(0).duplicate())
                    .isTrue();
        }
    }

    @Test
    void commitsInHandlersTransactionsWithOneConnectionEach() {
        engine(setup).run(deposit("shared", 1));
        List<TokenClaim> claims = List.of(claim(0), claim(1), claim(2));
        try (HikariDataSource pool = pool(THREADS);
                JdbcStore store = JdbcStore.in("kit", pool).open()) {
            JdbcApplicationRows rows = new JdbcApplicationRows(database.dataSource());
            EngineUnderTest replica = engine(store);
            assertThat(replica.balance("shared")).isEqualTo(1);
            engine(setup).run(deposit("shared", 1));
            CyclicBarrier allBegun = new CyclicBarrier(THREADS);

            List<UnitOutcome> outcomes = TestThreads.race(THREADS, thread -> {
                try (UnitTransaction transaction = store.unitTransactions().begin()) {
                    rows.write(transaction, "row " + thread);
                    await(allBegun);
                    TokenAdvance advance = new TokenAdvance(claims.get(thread), 0, Map.of());
                    PartId id = new PartId(UUID.randomUUID(), "kit/part");
                    return replica.committer()
                            .commitIn(transaction, CommitUnit.of(List.of(part(id, "" + thread)), advance));
                }
            });

            assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(UnitOutcome.Committed.class));
            assertThat(rows.read()).hasSize(THREADS);
        }
    }

    /** Reads a key that is cached and outdated, one that is not cached, and a row. */
    private static Part part(PartId id, String text) {
        return new Part(
                id,
                Metadata.none(),
                List.of(context -> {
                    long amount = context.state(ACCOUNT, "shared").amount();
                    context.append(ACCOUNT, "copy-" + id.cause(), new Deposited(amount));
                }),
                List.of(new RowUpdate<>(BOARD, "x", row -> new Noted((row == null ? "" : row.text()) + text))),
                false);
    }

    private TokenClaim claim(int thread) {
        Segment segment = new Segment("worker-" + thread, 0);
        setup.tokenStore()
                .initialize(
                        segment,
                        Map.of(
                                "notes",
                                StreamPosition.beginning(setup.eventLog().identity())));
        return setup.tokenStore().claim(segment, "one", Duration.ofMinutes(10)).orElseThrow();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

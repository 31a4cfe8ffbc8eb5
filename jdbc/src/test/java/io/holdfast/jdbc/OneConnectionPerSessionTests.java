package io.holdfast.jdbc;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.event.Metadata;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.SinglePart;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
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
            UUID cause = UUID.randomUUID();
            CompletableFuture<SinglePart.Outcome> first = other.submit(part(cause, "0"));
            other.run(withdraw("a", 5));
            assertThat(first).isCompleted();

            CompletableFuture<CommandResult> conflicting = replica.submit(withdraw("a", 5));
            CompletableFuture<CommandResult> keyed = replica.submit("key", deposit("uncached", 1));
            CompletableFuture<SinglePart.Outcome> duplicate = replica.submit(part(cause, "1"));
            replica.commit();

            assertThat(conflicting.join().events()).hasSize(1);
            assertThat(keyed.join().events()).hasSize(1);
            assertThat(duplicate.join()).isEqualTo(SinglePart.Outcome.DUPLICATE);
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

            List<SinglePart.Outcome> outcomes = TestThreads.race(THREADS, thread -> {
                try (UnitTransaction transaction = store.unitTransactions().begin()) {
                    rows.write(transaction, "row " + thread);
                    await(allBegun);
                    TokenAdvance advance = TokenAdvances.next(claims.get(thread), 0, Map.of());
                    return replica.commitIn(
                            transaction, part(UUID.randomUUID(), "" + thread).advancing(advance));
                }
            });

            assertThat(outcomes).containsOnly(SinglePart.Outcome.COMMITTED);
            assertThat(rows.read()).hasSize(THREADS);
        }
    }

    /** Reads a key that is cached and outdated, one that is not cached, and a row. */
    private static SinglePart part(UUID cause, String text) {
        return SinglePart.of(cause, "kit/part", Metadata.none(), context -> {
                    long amount = context.state(ACCOUNT, "shared").amount();
                    context.append(ACCOUNT, "copy-" + cause, new Deposited(amount));
                })
                .updating(BOARD, "x", row -> new Noted((row == null ? "" : row.text()) + text));
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

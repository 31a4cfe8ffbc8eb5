package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every change of segments locks their rows in the same order, segment 0 first. */
@ParameterizedClass
@EnumSource(Dialect.class)
class SegmentLocksTests {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int SEGMENTS = 16;

    private final TestDatabase database;
    private final JdbcStore store;
    private final JdbcStore shortTimeoutStore;

    SegmentLocksTests(Dialect dialect) {
        this.database = TestDatabase.acquire(dialect);
        this.store = JdbcStore.in("kit", database.dataSource()).open();
        this.shortTimeoutStore = JdbcStore.in("kit", database.dataSource())
                .timeouts(new Timeouts(Duration.ofMillis(50), Duration.ofSeconds(5)))
                .open();
    }

    @AfterEach
    void close() {
        shortTimeoutStore.close();
        store.close();
        database.release();
    }

    /**
     * Otherwise a change of all segments could miss a segment that is split off meanwhile, or overwrite it with its old
     * state.
     */
    @Test
    void changesOfTheSetOfSegmentsWaitForTheLockOfSegmentZero() throws SQLException {
        List<TokenClaim> claims = claims(4);
        TokenStore tokens = shortTimeoutStore.tokenStore();
        StreamPosition start = start();
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select * from holdfast_token where segment = 0 for update");

            assertWaits(() -> tokens.split(claims.get(1), 0));
            assertWaits(() -> tokens.merge(claims.get(1), 0, claims.get(3), 0));
            assertWaits(() -> tokens.initialize("billing", 4, Map.of("lists", start)));
            assertWaits(() -> tokens.setPaused("billing", true));
            assertWaits(() -> tokens.acceptRestore("billing", "notes", Set.of(start), start));
            assertWaits(() -> tokens.reset("billing", 1, Map.of("notes", start)));
            assertWaits(() -> tokens.changePolicy("billing", "one", "other"));
            other.rollback();
        }

        assertThat(store.tokenStore().findAll("billing"))
                .extracting(ClaimedToken::token)
                .hasSize(4)
                .allMatch(token -> token.version() == 0);
    }

    @Test
    void changesOfOneSegmentSeeWhatWasCommittedWhileTheyWaited() throws Exception {
        List<TokenClaim> claims = claims(4);
        TokenStore tokens = store.tokenStore();
        List<Callable<Object>> changes = List.of(
                () -> tokens.setUp(claims.get(1), 0, "other", Map.of()),
                () -> tokens.split(claims.get(1), 0).isPresent(),
                () -> tokens.merge(claims.get(3), 0, claims.get(1), 0));
        List<Future<Object>> results = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(changes.size());
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            assertThat(session.write(List.of(advance(claims.get(1), 0)))).isEmpty();
            changes.forEach(change -> results.add(threads.submit(change)));
            threads.shutdown();
            assertThat(threads.awaitTermination(300, TimeUnit.MILLISECONDS))
                    .as("all changes have finished")
                    .isFalse();
            session.commit();
        }

        for (Future<Object> result : results) {
            assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(false);
        }
        assertThat(tokens.findAll("billing"))
                .extracting(claimed -> claimed.token().version())
                .containsExactly(0L, 1L, 0L, 0L);
    }

    private static void assertWaits(Runnable change) {
        assertThatExceptionOfType(RetryableException.class).isThrownBy(change::run);
    }

    @Test
    void concurrentRenewalAdvanceAndPauseNeverDeadlock() throws Exception {
        List<TokenClaim> claims = claims(SEGMENTS);
        List<TokenClaim> backwards = new ArrayList<>(claims);
        Collections.reverse(backwards);
        CompletableFuture<Void> renewing = repeated(() -> store.tokenStore().renew(backwards, LEASE));
        CompletableFuture<Void> pausing = repeated(() -> store.tokenStore().setPaused("billing", true));

        for (int round = 0; round < 60; round++) {
            advance(claims);
        }

        renewing.get(60, TimeUnit.SECONDS);
        pausing.get(60, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> repeated(Runnable work) {
        return CompletableFuture.runAsync(() -> {
            for (int round = 0; round < 60; round++) {
                work.run();
            }
        });
    }

    /** Ignores rejections for stale versions: only the locks matter. */
    private void advance(List<TokenClaim> claims) {
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            session.write(claims.stream().map(claim -> advance(claim, 0)).toList());
        }
    }

    private UnitWrites advance(TokenClaim claim, long version) {
        TokenAdvance advance = TokenAdvances.next(claim, version, Map.of("notes", start()));
        return new UnitWrites(List.of(), List.of(), List.of(), Optional.of(advance));
    }

    private List<TokenClaim> claims(int count) {
        return store.tokenStore().initialize("billing", count, Map.of("notes", start())).stream()
                .map(Token::segment)
                .map(this::claim)
                .toList();
    }

    private TokenClaim claim(Segment segment) {
        return store.tokenStore().claim(segment, "one", LEASE).orElseThrow();
    }

    private StreamPosition start() {
        return StreamPosition.beginning(store.eventLog().identity());
    }
}

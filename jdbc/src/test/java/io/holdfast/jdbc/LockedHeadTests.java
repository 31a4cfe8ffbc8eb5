package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A foreign transaction without a timeout locks the head: other callers soon get a retryable error. */
class LockedHeadTests {

    private static final Timeouts SHORT = new Timeouts(Duration.ofMillis(100), Duration.ofSeconds(5));
    /** Less than the databases' default lock timeouts: 2 s on H2, none on PostgreSQL. */
    private static final Duration MAX_WAIT = Duration.ofMillis(1_500);

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void waitsForTheHeadAtMostForTheLockTimeout(Dialect dialect) throws Exception {
        TestDatabase database = TestDatabase.acquire(dialect);
        try (JdbcStore store =
                JdbcStore.in("kit", database.dataSource()).timeouts(SHORT).open()) {
            try (Connection other = database.dataSource().getConnection();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("select * from holdfast_log for update");

                long start = System.nanoTime();
                assertThat(CompletableFuture.supplyAsync(() -> locksHead(store)).get(30, TimeUnit.SECONDS))
                        .isFalse();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(MAX_WAIT);
                other.rollback();
            }

            assertThat(locksHead(store)).isTrue();
        }
        database.release();
    }

    private static boolean locksHead(JdbcStore store) {
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            return true;
        } catch (RetryableException e) {
            return false;
        }
    }
}

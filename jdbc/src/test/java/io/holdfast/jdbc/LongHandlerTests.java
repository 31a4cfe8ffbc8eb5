package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.commit.CommitPoint;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.token.Segments;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler may run longer than the lease of its segment, because the replica renews the lease meanwhile. */
class LongHandlerTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void runsOnceWhileAnotherReplicaWaitsForTheSegment(boolean ownRows) {
        String url = PostgresqlServer.sharedDurable().newDatabase();
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger runsOfTheOther = new AtomicInteger();
        try (CopyingReplica orders = CopyingReplica.withoutProcessor(url)) {
            CopyAudit audit = new CopyAudit(orders);
            Runnable slow = () -> {
                runs.incrementAndGet();
                letDatabaseTimePass(orders);
            };
            try (CopyingReplica one = open(url, "one", ownRows, slow)) {
                await().atMost(BOUND).until(() -> one.claimed() == CopyingReplica.SEGMENTS);
                orders.place(customer(), 1);
                await().atMost(BOUND).until(() -> runs.get() == 1);
                try (CopyingReplica other = open(url, "other", ownRows, runsOfTheOther::incrementAndGet)) {
                    audit.awaitAllCopied().everyOrderIsCopiedOnce(ownRows);
                    assertThat(other.claimed()).as("segments of the other").isPositive();
                }
            }
            assertThat(audit.writtenBy(ownRows)).singleElement().satisfies(row -> assertThat(row.by())
                    .isEqualTo("one"));
        }
        assertThat(runs).hasValue(1);
        assertThat(runsOfTheOther).hasValue(0);
    }

    /**
     * Returns a customer whose orders belong to the last segment, which is the first to be released to another replica.
     */
    private static String customer() {
        int last = CopyingReplica.SEGMENTS - 1;
        return IntStream.range(0, 1_000)
                .mapToObj(number -> "customer-" + number)
                .filter(customer -> Segments.covers(Segments.hash("orders/" + customer), last, last))
                .findFirst()
                .orElseThrow();
    }

    private static CopyingReplica open(String url, String name, boolean ownRows, Runnable beforeHandling) {
        CopyingOptions options = CopyingOptions.of(name).ownRows(ownRows).lease(LEASE);
        return CopyingReplica.open(url, options, CommitPoint.Observer.NONE, beforeHandling);
    }

    private static void letDatabaseTimePass(CopyingReplica replica) {
        try (Connection connection = replica.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_sleep(3.5)");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.commit.CommitPoint;
import io.holdfast.eventsourcing.Command;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.testsupport.PostgresqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server ends an idle transaction. The unit in it, alone in its batch, is still committed. */
class IdleTransactionTests {

    @ParameterizedTest
    @EnumSource(names = {"WRITE_EVENTS", "WRITE_SNAPSHOTS", "COMMIT"})
    void retriesAfterTheServerEndsAnIdleTransaction(CommitPoint point) {
        String url = PostgresqlServer.sharedDurable().newDatabase();
        MomentTrap trap = new MomentTrap(new Moment(point, false), 1, () -> awaitSessionEnded(url));
        try (Bank bank = Bank.open(url, trap)) {
            bank.controller().execute(Command.keyed("lone", "1"), Accounts.deposit("a", 1));

            assertThat(LogAudit.of(bank.store()).balance("a")).isEqualTo(1);
        }
    }

    private static void awaitSessionEnded(String url) {
        await().atMost(Duration.ofSeconds(20)).until(() -> sessionsInTransaction(url) == 0);
    }

    private static int sessionsInTransaction(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where datname = current_database() and state = 'idle in transaction'")) {
            row.next();
            return row.getInt(1);
        }
    }
}

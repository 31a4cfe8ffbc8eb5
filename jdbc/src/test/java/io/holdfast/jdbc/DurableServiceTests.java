package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Noted;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of docs/guides/postgresql-and-h2.md. */
class DurableServiceTests {

    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void acknowledgedEventsSurviveARestart(Dialect dialect) {
        TestDatabase database = TestDatabase.acquire(dialect);
        DataSource dataSource = database.dataSource();

        try (JdbcStore store = JdbcStore.in("accounts", dataSource).open();
                HoldfastService accounts = HoldfastService.named("accounts", store, wire)
                        .owns("accounts")
                        .start()) {
            for (int i = 0; i < 20; i++) {
                accounts.commands()
                        .execute(
                                Command.once(clock),
                                Accounts.ACCOUNT,
                                "ann",
                                balance -> List.of(new Accounts.Deposited(5)));
            }
        }

        try (JdbcStore store = JdbcStore.in("accounts", dataSource).open();
                HoldfastService accounts = HoldfastService.named("accounts", store, wire)
                        .owns("accounts")
                        .start()) {
            assertThat(accounts.commands().state(Accounts.ACCOUNT, "ann")).isEqualTo(new Accounts.Balance(100));
        }
        database.release();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void rowsAndOutboxEntriesCommitTogether(Dialect dialect) throws Exception {
        TestDatabase database = TestDatabase.acquire(dialect);
        JdbcTransactions transactions = new JdbcTransactions(database.dataSource());
        NewEvent renamed = new NewEvent(new PayloadCodec().encode(new Noted("renamed")), Metadata.none());
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table customer (id varchar(10) primary key, name varchar(100))");
        }

        try (JdbcStore store = JdbcStore.in("customers", database.dataSource())
                .transactions(transactions)
                .open()) {
            transactions.run(connection -> {
                try (PreparedStatement insert = connection.prepareStatement("insert into customer values (?, ?)")) {
                    insert.setString(1, "c-1");
                    insert.setString(2, "Ann");
                    insert.executeUpdate();
                }
                return store.outboxStore().write("customers", "c-1", renamed);
            });

            assertThat(store.outboxStore().assignPositions(10)).isEqualTo(1);
            assertThat(store.eventLog().readStream("customers", 0, 10)).hasSize(1);
        }
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table customer");
        }
        database.release();
    }
}

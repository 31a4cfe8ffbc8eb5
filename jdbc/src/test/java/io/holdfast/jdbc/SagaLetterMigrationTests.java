package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SagaLetters;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.Metadata;
import io.holdfast.testsupport.PostgresqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Letters that version 9 has parked are found by their saga: those in the database when it is migrated, and those that a
 * replica of version 9 inserts afterwards.
 */
class SagaLetterMigrationTests {

    private static final String ODD = "Grüße 😀 \"quoted\" \\ \n";
    private static final Instant PARKED_AT = Instant.parse("2026-01-01T10:00:08.123456Z");

    private final Path folder;

    SagaLetterMigrationTests(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void findsLettersOfVersion9(Dialect dialect) throws SQLException {
        String url = url(dialect);
        migrateTo9(url, dialect);
        try (Connection connection = connect(url)) {
            insertSequence(connection);
            insertLetter(connection, 1, Metadata.none().withCorrelationId("saga-1"));
            insertLetter(connection, 2, Metadata.none().withSaga("Order", "saga-1"));
            insertLetter(connection, 3, Metadata.none().withSaga("Order", ODD).withCausationId("saga-1"));
            insertLetter(connection, 4, Metadata.none());
        }

        try (Bank bank = Bank.open(url);
                Connection connection = connect(url)) {
            assertThat(find(bank)).isEqualTo(Map.of("saga-1", letters(2), ODD, letters(3)));

            insertLetter(connection, 5, Metadata.none().withSaga("Order", "saga-1"));
            insertLetter(connection, 6, Metadata.none());
            assertThat(find(bank))
                    .as("a replica of version 9 runs beside it")
                    .isEqualTo(Map.of("saga-1", letters(2, 5), ODD, letters(3)));
        }
    }

    private static Map<String, SagaLetters> find(Bank bank) {
        return bank.store().deadLetterStore().findSagaLetters(List.of("saga-1", ODD, "saga-2"), 10);
    }

    private static SagaLetters letters(int... numbers) {
        List<SagaLetter> letters = IntStream.of(numbers)
                .mapToObj(number -> new SagaLetter(
                        new LetterId(new SequenceId("bank/billing/mail", "accounts/a"), number),
                        id(number),
                        "billing",
                        SequenceState.HELD,
                        false,
                        PARKED_AT))
                .toList();
        return new SagaLetters(letters, numbers.length);
    }

    private static UUID id(int number) {
        return new UUID(7, number);
    }

    private static void migrateTo9(String url, Dialect dialect) {
        Flyway.configure()
                .dataSource(url, user(url), "")
                .locations(dialect.migrations())
                .table(Migrations.HISTORY)
                .target("9")
                .load()
                .migrate();
    }

    private static void insertSequence(Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into holdfast_sequence (component, sequence,"
                        + " consumer, hash, first_letter, last_letter, size, state, attempts, next_attempt, since)"
                        + " values ('bank/billing/mail', 'accounts/a', 'billing', 7, 1, 4, 4, 'HELD', 1, ?, ?)")) {
            insert.setObject(1, EventColumns.timestamp(PARKED_AT));
            insert.setObject(2, EventColumns.timestamp(PARKED_AT));
            insert.executeUpdate();
        }
    }

    /** Inserts the columns of version 9. */
    private static void insertLetter(Connection connection, int number, Metadata metadata) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into holdfast_letter (component, sequence,"
                + " number, event_id, source, stream, aggregate_key, key_version, occurred_at, event_type, revision,"
                + " metadata, payload, log_position, previous_position, log_id, epoch, enqueued_at, last_touched,"
                + " attempts, diagnostics) values ('bank/billing/mail', 'accounts/a', ?, ?, 'bank', 'accounts', 'a',"
                + " 1, ?, 'Deposited', 1, ?, '{}', 1, 0, ?, 1, ?, ?, '[]', '{}')")) {
            insert.setInt(1, number);
            insert.setObject(2, id(number));
            insert.setObject(3, EventColumns.timestamp(PARKED_AT));
            insert.setString(4, EventColumns.metadata(metadata));
            insert.setObject(5, id(0));
            insert.setObject(6, EventColumns.timestamp(PARKED_AT));
            insert.setObject(7, EventColumns.timestamp(PARKED_AT));
            insert.executeUpdate();
        }
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, user(url), "");
    }

    private static String user(String url) {
        return url.startsWith("jdbc:h2:") ? "sa" : PostgresqlServer.USER;
    }

    private String url(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL
                ? PostgresqlServer.shared().newDatabase()
                : "jdbc:h2:file:" + folder.resolve("log").toAbsolutePath() + ";WRITE_DELAY=0";
    }
}

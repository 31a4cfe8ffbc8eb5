package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.SagaLetters;
import io.holdfast.testsupport.PostgresqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Finding letters by saga reads only these letters, among 100,000 on PostgreSQL. Rows are counted by the database, not by
 * the clock.
 */
class SagaLetterCostTests {

    private static final int PARKED = 100_000;
    private static final int BATCH = 1_000;

    private static Connection connection;

    @BeforeAll
    static void migrate() throws SQLException {
        String url = PostgresqlServer.shared().newDatabase();
        try (Bank bank = Bank.open(url)) {
            assertThat(bank.store().deadLetterStore().findSagaLetters(List.of("s-1"), 1))
                    .isEmpty();
        }
        connection = DriverManager.getConnection(url, PostgresqlServer.USER, "");
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    /** The statistics of a transaction count only what it has read itself. */
    @BeforeEach
    void begin() throws SQLException {
        connection.setAutoCommit(false);
    }

    @AfterEach
    void rollBack() throws SQLException {
        connection.rollback();
    }

    /** Two letters per saga in one half, no saga in the other one; each letter in its own sequence. */
    @Test
    void readsOnlyLettersOfTheSagas() throws SQLException {
        park("case when n % 2 = 0 then json_build_object('sagaId', 's-' || n / 4) else '{}' end");

        assertReadsOnlyLettersOfTheSagas();
        execute("analyze holdfast_letter, holdfast_sequence");
        assertReadsOnlyLettersOfTheSagas();
    }

    private static void assertReadsOnlyLettersOfTheSagas() throws SQLException {
        Reads before = Reads.soFar();

        Map<String, SagaLetters> found = find(sagas());

        assertThat(found).hasSize(BATCH).allSatisfy((saga, letters) -> assertThat(letters.count())
                .isEqualTo(2));
        assertThat(Reads.soFar().minus(before)).isEqualTo(new Reads(0, 2 * BATCH, 0, 2 * BATCH));
    }

    @Test
    void readsNothingForSagasWithoutLetters() throws SQLException {
        park("'{}'");
        execute("analyze holdfast_letter, holdfast_sequence");
        Reads before = Reads.soFar();

        assertThat(find(sagas())).isEmpty();

        assertThat(Reads.soFar().minus(before)).isEqualTo(new Reads(0, 0, 0, 0));
    }

    /** A sample of the table suggests that every saga has tens of thousands of letters. */
    @Test
    void readsNothingForOthersThanTheFewSagasThatHaveAllLetters() throws SQLException {
        park("json_build_object('sagaId', 'large-' || n % 2)");
        execute("analyze holdfast_letter, holdfast_sequence");
        Reads before = Reads.soFar();

        assertThat(find(sagas())).isEmpty();

        assertThat(Reads.soFar().minus(before)).isEqualTo(new Reads(0, 0, 0, 0));
    }

    private static Map<String, SagaLetters> find(List<String> sagas) throws SQLException {
        return SagaLetterRows.find(connection, Dialect.POSTGRESQL, sagas, 10);
    }

    private static List<String> sagas() {
        return IntStream.range(0, BATCH).mapToObj(number -> "s-" + number).toList();
    }

    /** @param metadata an expression of the number {@code n} of the letter */
    private static void park(String metadata) throws SQLException {
        String numbers = " from generate_series(0, " + (PARKED - 1) + ") n";
        execute("insert into holdfast_sequence (component, sequence, consumer, hash, first_letter, last_letter, size,"
                + " state, attempts, next_attempt, since) select 'kit/billing/mail', 'notes/' || n, 'billing', n, 1, 1, 1,"
                + " 'PENDING', 1, now(), now()" + numbers);
        execute("insert into holdfast_letter (component, sequence, number, event_id, source, stream, aggregate_key,"
                + " key_version, occurred_at, event_type, revision, metadata, payload, log_position,"
                + " previous_position, log_id, epoch, enqueued_at, last_touched, attempts, diagnostics)"
                + " select 'kit/billing/mail', 'notes/' || n, 1, gen_random_uuid(), 'other', 'notes', n, 1, now(),"
                + " 'Noted', 1, " + metadata + ", '{}', n + 1, n, gen_random_uuid(), 1, now(), now(), '[]', '{}'"
                + numbers);
    }

    private static void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The rows that the transaction has read, by sequential scans and by index. */
    private record Reads(long lettersScanned, long lettersFetched, long sequencesScanned, long sequencesFetched) {

        static Reads soFar() throws SQLException {
            List<Long> counts = Stream.of("holdfast_letter", "holdfast_sequence")
                    .flatMap(table -> of(table).stream())
                    .toList();
            return new Reads(counts.get(0), counts.get(1), counts.get(2), counts.get(3));
        }

        private static List<Long> of(String table) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select seq_tup_read, idx_tup_fetch"
                            + " from pg_stat_xact_user_tables where relname = '" + table + "'")) {
                row.next();
                return List.of(row.getLong(1), row.getLong(2));
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        Reads minus(Reads before) {
            return new Reads(
                    lettersScanned - before.lettersScanned,
                    lettersFetched - before.lettersFetched,
                    sequencesScanned - before.sequencesScanned,
                    sequencesFetched - before.sequencesFetched);
        }
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.Command;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.StreamReader;
import io.holdfast.testsupport.PostgresqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database is restored from a backup, as docs/operations.md describes. Readers that are ahead of the backup stop; all
 * others continue.
 */
class RestoredLogTests {

    private final Path folder;

    RestoredLogTests(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void continuesInANewEpochAndStopsReadersAheadOfTheBackup(Dialect dialect) throws Exception {
        String url = url(dialect, "original");
        String backup = url(dialect, "backup");
        StreamPosition atTen = deposit(url, 10);
        copy(dialect, url, backup);
        deposit(url, 3);
        StreamPosition atThirteen = reached(url, 13);
        deposit(url, 2);

        copy(dialect, backup, url);
        try (Bank bank = Bank.open(url)) {
            assertThat(raiseEpoch(bank.dataSource())).isEqualTo(new Epoch(2, 10));
        }
        deposit(url, 2);

        try (Bank bank = Bank.open(url)) {
            assertThat(bank.store().eventLog().epochs()).containsExactly(new Epoch(1, 0), new Epoch(2, 10));
            assertThat(bank.store().eventLog().identity().id())
                    .isEqualTo(atTen.log().id());
            assertThat(LogAudit.of(bank.store()).balance("a")).isEqualTo(12);
            checkReaders(bank.store(), atTen, atThirteen);
        }
    }

    private static Epoch raiseEpoch(DataSource dataSource) {
        try (JdbcStore store = JdbcStore.in("bank", dataSource).open()) {
            return store.commitStore().raiseEpoch();
        }
    }

    private static void checkReaders(Store store, StreamPosition atTen, StreamPosition atThirteen) {
        StreamReader reader = StreamReader.ofLog(store, "reader");

        List<EventMessage> next = reader.read(Accounts.STREAM, atTen, 100);
        assertThat(next).extracting(EventMessage::position).containsExactly(11L, 12L);
        assertThat(next)
                .allSatisfy(
                        event -> assertThat(event.logPosition().log().epoch()).isEqualTo(2));

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> reader.read(Accounts.STREAM, atThirteen, 100))
                .withMessageContaining("position 13")
                .withMessageContaining("restored to position 10")
                .withMessageContaining("accept the restore or reset the reader");
    }

    /** The operator did not raise the epoch. Readers that are ahead of the log stop anyway. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void stopsReadersAheadOfTheBackupEvenWithoutANewEpoch(Dialect dialect) throws Exception {
        String url = url(dialect, "original");
        String backup = url(dialect, "backup");
        deposit(url, 1);
        copy(dialect, url, backup);
        StreamPosition atThree = deposit(url, 2);

        copy(dialect, backup, url);

        try (Bank bank = Bank.open(url)) {
            StreamReader reader = StreamReader.ofLog(bank.store(), "reader");
            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> reader.read(Accounts.STREAM, atThree, 100))
                    .withMessageContaining("went back in time");
        }
    }

    /** @return the position of the last deposit */
    private static StreamPosition deposit(String url, int times) {
        try (Bank bank = Bank.open(url)) {
            long before = bank.store().eventLog().position();
            LongStream.rangeClosed(before + 1, before + times).forEach(number -> bank.controller()
                    .execute(Command.keyed("a", "deposit " + number), Accounts.deposit("a", 1)));
            return bank.store().eventLog().head(Accounts.STREAM).streamPosition();
        }
    }

    private static StreamPosition reached(String url, long position) {
        try (Bank bank = Bank.open(url)) {
            return bank.store().eventLog().readAll(position - 1, 1).get(0).streamPosition();
        }
    }

    private String url(Dialect dialect, String name) {
        return dialect == Dialect.POSTGRESQL
                ? PostgresqlServer.sharedDurable().newDatabase()
                : "jdbc:h2:file:" + folder.resolve(name).toAbsolutePath() + ";WRITE_DELAY=0";
    }

    /** Requires that no client is connected to either database. */
    private static void copy(Dialect dialect, String from, String to) throws SQLException, IOException {
        if (dialect == Dialect.H2) {
            Files.copy(h2File(from), h2File(to), StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        try (Connection connection = DriverManager.getConnection(from.replace("/" + database(from), "/postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("drop database " + database(to) + " with (force)");
            statement.execute("create database " + database(to) + " template " + database(from));
        }
    }

    private static Path h2File(String url) {
        return Path.of(url.replaceFirst("jdbc:h2:file:([^;]*);.*", "$1.mv.db"));
    }

    private static String database(String url) {
        return url.replaceFirst(".*/([^?]*)\\?.*", "$1");
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The race itself depends on timing, so the tests check the setting that prevents it. */
class H2ReusedResultsTests {

    @TempDir
    private Path folder;

    @Test
    void storeDisablesTheReuseOfResults() throws SQLException {
        DataSource dataSource = dataSource("sa", "");
        try (Connection open = dataSource.getConnection()) {
            assertThat(reusesResults(open)).isTrue();

            try (JdbcStore store = JdbcStore.in("kit", dataSource).open()) {
                assertThat(store.eventLog().position()).isZero();
                assertThat(reusesResults(open)).isFalse();
            }
        }
    }

    @Test
    void userWithoutAdministratorRightsCanOpenTheStore() throws SQLException {
        JdbcStore.in("kit", dataSource("sa", "")).open().close();
        try (Connection open = dataSource("sa", "").getConnection();
                Statement statement = open.createStatement()) {
            statement.execute("create user app password 'secret'");
            statement.execute("grant all on schema public to app");

            try (JdbcStore store =
                    JdbcStore.in("kit", dataSource("app", "secret")).open()) {
                assertThat(store.eventLog().position()).isZero();
                assertThat(reusesResults(open)).as("only a warning is possible").isTrue();
            }
        }
    }

    private DataSource dataSource(String user, String password) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:file:" + folder.resolve("log"));
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    private static boolean reusesResults(Connection connection) throws SQLException {
        SessionLocal session =
                (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
        return session.getDatabase().getOptimizeReuseResults();
    }
}

package io.holdfast.testsupport;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * A copy of all tables of a schema, in tables beside them. Restoring it replaces the content under open connections, as
 * a failover behind a connection pooler does to a standby that lacks the newest commits.
 */
public final class TableBackup {

    private static final String PREFIX = "backup_";

    private final DataSource dataSource;
    private final List<String> tables;

    private TableBackup(DataSource dataSource, List<String> tables) {
        this.dataSource = dataSource;
        this.tables = tables;
    }

    public static TableBackup of(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            List<String> tables = tables(connection);
            for (String table : tables) {
                statement.execute("create table " + PREFIX + table + " as select * from " + table);
            }
            return new TableBackup(dataSource, tables);
        } catch (SQLException e) {
            throw new AssertionError("the tables cannot be copied", e);
        }
    }

    /** Replaces the content of all tables with the copy, in one transaction, and drops the copy. */
    public void restore() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String table : tables) {
                statement.execute("delete from " + table);
                String columns = columns(connection, table);
                statement.execute("insert into " + table + " (" + columns + ") overriding system value select "
                        + columns + " from " + PREFIX + table);
            }
            connection.commit();
            for (String table : tables) {
                statement.execute("drop table " + PREFIX + table);
            }
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError("the copy cannot be restored", e);
        }
    }

    /** Returns the columns that can be inserted: the database computes generated ones. */
    private static String columns(Connection connection, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        String stored = connection.getMetaData().storesUpperCaseIdentifiers() ? table.toUpperCase(Locale.ROOT) : table;
        try (ResultSet row =
                connection.getMetaData().getColumns(connection.getCatalog(), connection.getSchema(), stored, "%")) {
            while (row.next()) {
                if (!row.getString("IS_GENERATEDCOLUMN").equals("YES")) {
                    columns.add(row.getString("COLUMN_NAME"));
                }
            }
        }
        return String.join(", ", columns);
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet row = connection
                .getMetaData()
                .getTables(
                        connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (row.next()) {
                String name = row.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
                if (!name.startsWith("flyway") && !name.startsWith("holdfast_schema") && !name.startsWith(PREFIX)) {
                    tables.add(name);
                }
            }
        }
        return tables;
    }
}

package io.holdfast.jdbc;

import io.holdfast.token.ClaimedToken;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The definitions of processors, one row each. A change locks the definition first and then all tokens of its
 * processor.
 */
final class DefinitionRows {

    private DefinitionRows() {}

    static ProcessorDefinition find(Connection connection, String consumer) throws SQLException {
        return find(connection, consumer, "");
    }

    static ProcessorDefinition change(
            TokenRows rows, Database database, String consumer, UnaryOperator<ProcessorDefinition> change)
            throws SQLException {
        Connection connection = rows.connection();
        insertIfAbsent(connection, database, consumer);
        ProcessorDefinition before = find(connection, consumer, " for update");
        List<Token> tokens =
                rows.lockAll(consumer).stream().map(ClaimedToken::token).toList();
        ProcessorDefinition after = change.apply(before.completedBy(tokens));
        if (after.equals(before)) {
            return before;
        }
        ProcessorDefinition stored = after.withVersion(before.version() + 1);
        update(connection, consumer, stored);
        if (!stored.coversSameAs(before)) {
            rows.update(tokens.stream()
                    .map(token -> token.withComponents(stored.components().keySet()))
                    .toList());
        }
        return stored;
    }

    private static ProcessorDefinition find(Connection connection, String consumer, String lock) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "select version, definition from holdfast_definition where consumer = ?" + lock)) {
            query.setString(1, consumer);
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? DefinitionJson.read(row.getLong("version"), row.getString("definition"))
                        : ProcessorDefinition.EMPTY;
            }
        }
    }

    /** Creates the row to lock. Concurrent replicas wait for its commit. */
    private static void insertIfAbsent(Connection connection, Database database, String consumer) throws SQLException {
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_definition",
                        "consumer, version, definition",
                        "consumer",
                        "cast(? as varchar), 0, cast(? as " + database.dialect().text() + ")");
        database.insertIfAbsent(connection, insert, statement -> {
            statement.setString(1, consumer);
            statement.setString(2, DefinitionJson.write(ProcessorDefinition.EMPTY));
        });
    }

    private static void update(Connection connection, String consumer, ProcessorDefinition definition)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "update holdfast_definition set version = ?, definition = ? where consumer = ?")) {
            update.setLong(1, definition.version());
            update.setString(2, DefinitionJson.write(definition));
            update.setString(3, consumer);
            update.executeUpdate();
        }
    }
}

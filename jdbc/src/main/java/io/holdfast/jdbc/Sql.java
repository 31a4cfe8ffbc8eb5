package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that is put together with its parameters. Not thread-safe. */
final class Sql {

    private final StringBuilder text = new StringBuilder();
    private final List<@Nullable Object> parameters = new ArrayList<>();

    Sql(String start) {
        text.append(start);
    }

    /** An array parameter of this type in the database. */
    private record ArrayParameter(String type, List<@Nullable Object> values) {}

    Sql append(String more, Object... values) {
        text.append(more);
        parameters.addAll(List.of(values));
        return this;
    }

    /** Adds the value of a parameter that was appended before. */
    Sql array(String type, @Nullable Object[] values) {
        parameters.add(new ArrayParameter(type, Arrays.asList(values)));
        return this;
    }

    Sql append(Sql more) {
        text.append(more.text);
        parameters.addAll(more.parameters);
        return this;
    }

    String text() {
        return text.toString();
    }

    /** The caller closes the statement. */
    PreparedStatement prepare(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text.toString());
        for (int i = 0; i < parameters.size(); i++) {
            Object value = parameters.get(i);
            if (value instanceof ArrayParameter array) {
                statement.setArray(
                        i + 1,
                        connection.createArrayOf(array.type(), array.values().toArray()));
            } else {
                statement.setObject(i + 1, value);
            }
        }
        return statement;
    }
}

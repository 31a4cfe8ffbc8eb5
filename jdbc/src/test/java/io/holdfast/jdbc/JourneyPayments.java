package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The system that journeys call, with its own table. It tells repeated calls by their idempotency key, as such systems
 * do.
 */
final class JourneyPayments {

    private final DataSource dataSource;
    private final Runnable afterCall;
    private final Consumer<String> onConfirm;

    /**
     * @param afterCall runs when a call has taken effect, and before its result is returned
     * @param onConfirm gets the id of each journey that this replica confirms
     */
    JourneyPayments(DataSource dataSource, Runnable afterCall, Consumer<String> onConfirm) {
        this.dataSource = dataSource;
        this.afterCall = afterCall;
        this.onConfirm = onConfirm;
    }

    void createTable() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists journey_payment (idempotency_key varchar(100) primary key,"
                    + " journey varchar(50) not null, kind varchar(20) not null, calls integer not null)");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    boolean call(String kind, String journey, String idempotencyKey) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into journey_payment values (?, ?, ?, 1)"
                        + " on conflict (idempotency_key) do update set calls = journey_payment.calls + 1")) {
            insert.setString(1, idempotencyKey);
            insert.setString(2, journey);
            insert.setString(3, kind);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        afterCall.run();
        return true;
    }

    void confirming(String journey) {
        onConfirm.accept(journey);
    }

    /** Returns how many payments or refunds took effect, by kind and journey. */
    Map<String, Integer> effects() {
        return query("select kind || ' ' || journey, count(*) from journey_payment group by kind, journey");
    }

    /** Returns how many calls were repeated. */
    int repetitions() {
        return query("select 'all', coalesce(sum(calls - 1), 0) from journey_payment")
                .get("all");
    }

    private Map<String, Integer> query(String query) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            Map<String, Integer> counts = new TreeMap<>();
            while (row.next()) {
                counts.put(row.getString(1), row.getInt(2));
            }
            return counts;
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }
}

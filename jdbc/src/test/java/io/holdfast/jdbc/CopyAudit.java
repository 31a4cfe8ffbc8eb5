package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.Copies.Copied;
import io.holdfast.jdbc.Copies.Placed;
import io.holdfast.tck.harness.StoredSequences;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks that every order was copied once and in order, and that no letter remains. */
final class CopyAudit {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int PAGE = 2_000;

    private final CopyingReplica replica;
    private final PayloadCodec codec = new PayloadCodec();

    CopyAudit(CopyingReplica replica) {
        this.replica = replica;
    }

    /** Waits until there are as many copies as orders. */
    CopyAudit awaitAllCopied() {
        long orders = count(Copies.ORDERS);
        await().atMost(BOUND).pollInterval(Duration.ofMillis(20)).untilAsserted(() -> assertThat(count(Copies.COPIES))
                .as("copies")
                .isGreaterThanOrEqualTo(orders));
        return this;
    }

    long count(AggregateType<?> type) {
        return queryCount("select count(*) from holdfast_event where stream = '" + type.stream() + "'");
    }

    /** @param ownRows whether the rows are application rows, not rows of a view */
    CopyAudit everyOrderIsCopiedOnce(boolean ownRows) {
        Map<String, List<Integer>> orders = numbers(Copies.ORDERS);
        assertThat(numbers(Copies.COPIES)).as("copies, in order").isEqualTo(orders);
        List<String> expected = orderKeys().stream().map(key -> key + " once").toList();
        List<String> rows = writtenBy(ownRows).stream()
                .map(row -> row.key() + (row.times() == 1 ? " once" : " " + row.times() + " times"))
                .toList();
        assertThat(rows).as("rows").containsExactlyInAnyOrderElementsOf(expected);
        assertThat(StoredSequences.findAll(replica.store().deadLetterStore(), CopyingReplica.PROCESSOR))
                .as("parked sequences")
                .isEmpty();
        assertThat(queryCount("select count(*) from holdfast_letter"))
                .as("letters")
                .isZero();
        return this;
    }

    /** Returns the row key of every order. */
    List<String> orderKeys() {
        List<String> keys = new ArrayList<>();
        numbers(Copies.ORDERS)
                .forEach((customer, numbers) -> numbers.forEach(number -> keys.add(Copies.rowKey(customer, number))));
        return keys;
    }

    private Map<String, List<Integer>> numbers(AggregateType<?> type) {
        Map<String, List<Integer>> numbers = new LinkedHashMap<>();
        long position = 0;
        List<EventMessage> page;
        do {
            page = replica.store().eventLog().readStream(type.stream(), position, PAGE);
            for (EventMessage event : page) {
                numbers.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(number(event));
                position = event.position();
            }
        } while (!page.isEmpty());
        return numbers;
    }

    private int number(EventMessage event) {
        return event.stream().equals(Copies.ORDERS.stream())
                ? codec.decode(event.payload(), Placed.class).number()
                : codec.decode(event.payload(), Copied.class).number();
    }

    /** Returns the rows of all copies, each with the replica that wrote it. */
    List<CopyRow> writtenBy(boolean ownRows) {
        return ownRows ? ownRows() : viewRows();
    }

    private List<CopyRow> viewRows() {
        List<CopyRow> rows = new ArrayList<>();
        int before;
        do {
            before = rows.size();
            String last = rows.isEmpty() ? "" : rows.get(before - 1).key();
            replica.service()
                    .views()
                    .page(Copies.VIEW, last, PAGE)
                    .forEach((key, row) -> rows.add(new CopyRow(key, row.times(), row.by())));
        } while (rows.size() > before);
        return rows;
    }

    private List<CopyRow> ownRows() {
        List<CopyRow> rows = new ArrayList<>();
        try (Connection connection = replica.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select customer, order_number, count(*), max(written_by) from "
                        + Copies.TABLE + " group by customer, order_number order by customer, order_number")) {
            while (row.next()) {
                rows.add(new CopyRow(Copies.rowKey(row.getString(1), row.getInt(2)), row.getInt(3), row.getString(4)));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return rows;
    }

    private long queryCount(String query) {
        try (Connection connection = replica.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    /** The row of a copy. */
    record CopyRow(String key, int times, String by) {}
}

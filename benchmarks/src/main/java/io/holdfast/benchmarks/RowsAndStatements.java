package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.processing.settings.ProcessorSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the rows (at the server) and the statements (at the DataSource) that handling a healthy event costs. */
final class RowsAndStatements {

    private static final List<String> EFFECT_TABLES = List.of("holdfast_event", "holdfast_stream", "holdfast_log");
    private static final String TOKEN_TABLE = "holdfast_token";
    /** Tables written once or periodically, regardless of the number of events. */
    private static final List<String> PERIODIC = List.of("holdfast_replica", "holdfast_consumer_group");

    private static final int MAX_STATEMENTS = 15;

    private final FilledStream stream;

    RowsAndStatements(FilledStream stream) {
        this.stream = stream;
    }

    void print() {
        Report.line("counting rows and statements ...");
        Map<String, Long> before = stream.rowsWritten();
        Map<String, Long> versions = versions();
        CountedCalls counted = new CountedCalls();
        ProcessedStream run;
        try (HikariDataSource pool = stream.connect()) {
            run = ProcessedStream.appending(counted.wrap(pool), ProcessorSettings.DEFAULT, stream.events());
        }
        Map<String, Long> rows = new TreeMap<>();
        stream.rowsWritten().forEach((table, written) -> rows.put(table, written - before.getOrDefault(table, 0L)));
        Map<String, Long> stored = versions();
        stored.replaceAll((consumer, sum) -> sum - versions.getOrDefault(consumer, 0L));
        printRows(run, rows, stored);
        printStatements(counted, run);
    }

    private void printRows(ProcessedStream run, Map<String, Long> rows, Map<String, Long> stored) {
        double events = stream.events();
        long commits = run.committer().commits();
        long publisher = stored.getOrDefault("outbox-publisher", 0L);
        long batches = run.committer().units() - publisher;
        long positions = stored.values().stream().mapToLong(sum -> sum).sum();
        Report.line(
                "%,d batches of %s events in %,d commits, for %,d handled events",
                batches, Report.number(events / batches), commits, stream.events());
        Report table = new Report("rows written", "total", "per event", "per commit");
        rows.forEach((name, written) -> {
            if (written > 0) {
                table.row(name, written.toString(), perEvent(written), Report.number(written / (double) commits));
            }
        });
        table.print();
        long tokens = rows.getOrDefault(TOKEN_TABLE, 0L);
        Report.line(
                "token rows: %,d positions of batches, %,d of the publisher, %,d for creating, initializing, claiming, releasing",
                positions - publisher, publisher, tokens - positions);
        long other = rows.entrySet().stream()
                .filter(row -> !EFFECT_TABLES.contains(row.getKey()) && !PERIODIC.contains(row.getKey()))
                .filter(row -> !row.getKey().equals(TOKEN_TABLE))
                .mapToLong(Map.Entry::getValue)
                .sum();
        long appended = rows.getOrDefault("holdfast_event", 0L);
        Report.goal(
                "only the effect's own rows and one token row per batch",
                appended == stream.events() && positions - publisher == batches && other == 0,
                perEvent(appended) + " event rows per event, "
                        + Report.number((positions - publisher) / (double) batches) + " token rows per batch ("
                        + perEvent(positions - publisher) + " per event), " + other + " other rows");
        Report.line("");
    }

    private void printStatements(CountedCalls counted, ProcessedStream run) {
        double commits = run.committer().commits();
        long all = counted.calls().values().stream()
                .mapToLong(CountedCalls.Calls::count)
                .sum();
        Report.line(
                "statements of the whole service, including commits, publisher and leases: %,d in total, %s per event",
                all, perEvent(all));
        Report table = new Report("most frequent", "total", "per event", "per commit", "ms each");
        counted.calls().entrySet().stream()
                .sorted(Comparator.comparing(entry -> -entry.getValue().count()))
                .limit(MAX_STATEMENTS)
                .forEach(entry -> {
                    CountedCalls.Calls calls = entry.getValue();
                    table.row(
                            CountedCalls.abbreviate(entry.getKey()),
                            Long.toString(calls.count()),
                            perEvent(calls.count()),
                            Report.number(calls.count() / commits),
                            Report.number(calls.milliseconds() / calls.count()));
                });
        table.print();
    }

    /** Returns how often positions were stored, by consumer, without the write that initializes each segment. */
    private Map<String, Long> versions() {
        Map<String, Long> versions = new TreeMap<>();
        try (HikariDataSource pool = stream.connect();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select consumer, sum(version) - count(*) from holdfast_token group by consumer")) {
            while (row.next()) {
                versions.put(row.getString(1), row.getLong(2));
            }
        } catch (SQLException e) {
            throw Failures.of("reading the tokens", e);
        }
        return versions;
    }

    private String perEvent(long count) {
        return Report.number(count / (double) stream.events());
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryPage;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStatus;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.deadletter.entry.GroupQuery;
import io.holdfast.testsupport.PostgresqlServer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every list, filter, group and count answers within 200 ms among 100,000 letters, parked and resolved. The sequences have
 * one to ten letters each, and the letters have payloads.
 */
@Tag("long")
class EntryStoreCostTests {

    private static final int SEQUENCES = 44_000;
    private static final int LETTERS = 100_000;
    private static final int RESOLVED = 30_000;
    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final int REQUESTS = 50;
    /** A busy machine may need another round. */
    private static final int MAX_ROUNDS = 5;

    private static final long MAX_ALLOCATED = 16L * 1024 * 1024;

    private static final String KEYS = "'kit/billing/c' || mod(n, 20), 'notes/' || n";

    private final Map<String, Duration> slowest = new LinkedHashMap<>();

    @Test
    void postgresqlAnswersInTime() throws SQLException {
        try (Bank bank = Bank.open(PostgresqlServer.shared().newDatabase())) {
            fill(bank, "generate_series(0, %s) n", "gen_random_uuid()", "repeat('x', 1000)");
            execute(bank, "analyze");
            printed("PostgreSQL", () -> assertAnswers(bank.store().entryStore(), true));
        }
    }

    @Test
    void h2AnswersInTime(@TempDir Path directory) throws SQLException {
        try (Bank bank = Bank.open("jdbc:h2:file:" + directory.resolve("entries") + ";WRITE_DELAY=0")) {
            fill(bank, "(select x as n from system_range(0, %s)) k", "random_uuid()", "repeat('x', 1000)");
            execute(bank, "analyze");
            printed("H2", () -> assertAnswers(bank.store().entryStore(), false));
        }
    }

    /** Letters 0 to 9 of every tenth sequence, otherwise one or two, until there are enough. */
    private static void fill(Bank bank, String numbers, String uuid, String payload) throws SQLException {
        String size = "case when mod(n, 10) = 0 then 10 when mod(n, 2) = 0 then 2 else 1 end";
        String since = "timestamp with time zone '2026-01-01 00:00:00+00' + n * interval '1' second";
        execute(
                bank,
                "insert into holdfast_sequence (component, sequence, consumer, hash, first_letter, last_letter, size, state,"
                        + " attempts, next_attempt, since, escalated, cause_group) select " + KEYS
                        + ", 'p' || mod(n, 4), n, 1, " + size + ", " + size
                        + ", case when mod(n, 8) = 7 then 'RETRYING'"
                        + " when mod(n, 8) = 6 then 'HELD' else 'PENDING' end, 1, current_timestamp, " + since
                        + ", true, 'group-' || mod(n, 60) from " + numbers.formatted(SEQUENCES - 1));
        String columns = "event_id, source, stream, aggregate_key, key_version, occurred_at, event_type, revision,"
                + " metadata, payload, log_position, previous_position, previous_id, log_id, epoch, cause_type, cause_message,"
                + " cause_stack_trace, enqueued_at, last_touched, attempts, diagnostics, failed_replays";
        String values = uuid + ", 'other', 'notes', 'key-' || n, 1, current_timestamp, 'Noted' || mod(n, 50), 1,"
                + " '{\"sagaId\":\"s-' || n || '\",\"correlationId\":\"c-' || mod(n, 30000) || '\"}', '{\"text\":\"' || "
                + payload + " || '\"}', n + 1, n, " + uuid + ", " + uuid
                + ", 1, 'Boom' || mod(n, 60), 'no luck with ' || n, "
                + payload
                + ", current_timestamp, current_timestamp, '[]', '{}', 0";
        for (int number = 1; number <= 10; number++) {
            String which = number == 1 ? "1 = 1" : number == 2 ? "mod(n, 2) = 0" : "mod(n, 10) = 0";
            execute(
                    bank,
                    "insert into holdfast_letter (component, sequence, number, " + columns + ") select " + KEYS + ", "
                            + number + ", " + values + " from " + numbers.formatted(SEQUENCES - 1) + " where " + which);
        }
        execute(
                bank,
                "insert into holdfast_resolved_letter (component, sequence, number, consumer, " + columns
                        + ", cause_group, escalated, status, replay_count, resolved_at) select " + KEYS
                        + ", 1, 'p' || mod(n, 4), " + values + ", 'group-' || mod(n, 60), true,"
                        + " case when mod(n, 3) = 0 then 'DISCARDED' else 'REPLAYED' end, 1, " + since + " from "
                        + numbers.formatted(RESOLVED - 1));
        execute(
                bank,
                "insert into holdfast_queue (component, letters, retrying, held, pending, pending_letters)"
                        + " select component, sum(size), sum(case when state = 'RETRYING' then 1 else 0 end),"
                        + " sum(case when state = 'HELD' then 1 else 0 end),"
                        + " sum(case when state = 'PENDING' then 1 else 0 end),"
                        + " sum(case when state = 'PENDING' then size else 0 end) from holdfast_sequence group by component");
        execute(
                bank,
                "insert into holdfast_cause_group (cause_group, component, cause_type, pending, parked, first_seen,"
                        + " last_seen) select 'group-' || n, 'kit/billing/c1', 'Boom', n, n, current_timestamp,"
                        + " current_timestamp from " + numbers.formatted(59));
    }

    private static void execute(Bank bank, String sql) throws SQLException {
        try (Connection connection = bank.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Prints the figures, also of those requests that were too slow. */
    private void printed(String database, Runnable assertions) {
        try {
            assertions.run();
        } finally {
            StringBuilder table = new StringBuilder("p95 of entries among " + LETTERS + " letters, " + database + "\n");
            slowest.forEach((name, time) -> table.append("%-32s %4d ms%n".formatted(name, time.toMillis())));
            System.out.println(table);
        }
    }

    private void assertAnswers(EntryStore entries, boolean measuresMemory) {
        EntryQuery all = EntryQuery.of(EntryStatus.values());
        assertThat(entries.count(EntryQuery.of(EntryStatus.PENDING, EntryStatus.RETRYING, EntryStatus.HELD))
                        .count())
                .isGreaterThanOrEqualTo(LETTERS);
        Entry some = entries.find(EntryQuery.PENDING.limit(500)).entries().get(499);
        EntryCursor deep = new EntryCursor(Instant.parse("2026-01-01T02:00:00Z"), "kit/billing/c3", "notes/7200", 1);
        Map<String, EntryQuery> queries = new LinkedHashMap<>();
        queries.put("newest", EntryQuery.PENDING);
        queries.put("large page", EntryQuery.PENDING.limit(EntryQuery.MAX_LIMIT));
        queries.put("deep page", EntryQuery.PENDING.after(deep));
        queries.put("all statuses", all);
        queries.put("all, deep", all.after(deep));
        queries.put("retrying", EntryQuery.of(EntryStatus.RETRYING));
        queries.put("replayed", EntryQuery.of(EntryStatus.REPLAYED));
        queries.put("component", EntryQuery.PENDING.components(Set.of("kit/billing/c4")));
        queries.put("component, resolved", all.components(Set.of("kit/billing/c4")));
        queries.put("components", all.components(Set.of("kit/billing/c4", "kit/billing/c5", "none")));
        queries.put("processor", all.processor("p1"));
        queries.put("unknown processor", all.processor("none"));
        queries.put("group", all.causeGroup("group-7"));
        queries.put("unknown group", all.causeGroup("none"));
        queries.put("type", all.eventType("Noted3"));
        queries.put("unknown type", all.eventType("none"));
        queries.put("cause", all.causeType("Boom3"));
        queries.put("unknown cause", all.causeType("none"));
        queries.put("text", all.text("LUCK WITH 1234"));
        queries.put("unknown text", all.text("nowhere"));
        queries.put("key", all.key("key-39990"));
        queries.put("unknown key", all.key("none"));
        queries.put("saga", all.sagaId("s-20000"));
        queries.put("unknown saga", all.sagaId("none"));
        queries.put("correlation", all.correlationId("c-20000"));
        queries.put("event", all.eventId(some.event().id()));
        queries.put("unknown event", all.eventId(new UUID(1, 2)));
        queries.put("time", all.from(deep.time()).to(deep.time().plusSeconds(3_600)));
        queries.put("combined", all.eventType("Noted3").causeType("Boom3").text("with"));
        queries.forEach((name, query) -> {
            assertInTime(name, () -> entries.find(query));
            assertInTime("count: " + name, () -> entries.count(query));
            if (measuresMemory) {
                assertAllocatesLittle(name, () -> entries.find(query));
            }
        });
        assertInTime("groups", () -> entries.groups(GroupQuery.ALL));
        assertInTime(
                "groups of a component", () -> entries.groups(GroupQuery.ALL.components(Set.of("kit/billing/c1"))));
        assertInTime(
                "details", () -> entries.find(some.component(), some.event().id()));
        EntryPage page = entries.find(all.text("nowhere"));
        assertThat(page.searchedUntil()).isNotNull();
        assertThat(slowest)
                .allSatisfy(
                        (name, time) -> assertThat(time).as("p95 of %s", name).isLessThanOrEqualTo(LIMIT));
    }

    private void assertInTime(String name, Runnable request) {
        Duration best = LIMIT.plusNanos(1);
        for (int round = 0; round < MAX_ROUNDS && best.compareTo(LIMIT) > 0; round++) {
            Duration p95 = p95(request);
            best = round == 0 || p95.compareTo(best) < 0 ? p95 : best;
        }
        slowest.put(name, best);
    }

    private static Duration p95(Runnable request) {
        long[] times = new long[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            long start = System.nanoTime();
            request.run();
            times[i] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        return Duration.ofNanos(times[REQUESTS * 95 / 100]);
    }

    private static void assertAllocatesLittle(String name, Runnable request) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        request.run();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .as("bytes allocated by %s", name)
                .isLessThan(MAX_ALLOCATED);
    }
}

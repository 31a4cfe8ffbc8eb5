package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.Entries.Applied;
import io.holdfast.jdbc.Entries.RevisedTotals;
import io.holdfast.tck.harness.StoredSequences;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Reads the database and checks that every entry had its effects once and in order, and that no letter remains. */
final class EntryAudit {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int PAGE = 2_000;

    private final VersionedReplica replica;
    private final VersionChange change;
    private final Map<String, Integer> registeredAt = new TreeMap<>();
    private final PayloadCodec codec = new PayloadCodec();

    EntryAudit(EntryWriter writer, VersionChange change) {
        this.replica = writer.replica();
        this.change = change;
    }

    /** Notes that the new version is ready: from now on, its components miss no entry. */
    void newVersionIsReady() {
        read(Entries.ENTRIES.stream()).forEach((key, events) -> registeredAt.put(key, events.size()));
    }

    long effects() {
        return queryCount("select count(*) from holdfast_event where stream like 'effects-%'");
    }

    long effects(String key) {
        return queryCount(
                "select count(*) from holdfast_event where stream like 'effects-%' and aggregate_key = '" + key + "'");
    }

    long letters() {
        return queryCount("select count(*) from holdfast_letter");
    }

    /** Waits until all letters have drained and every entry has had its effects; fails with what is lost. */
    EntryAudit awaitAllHandled() {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            assertThat(letters()).as("letters").isZero();
            List<String> lost = lost();
            assertThat(lost).as("%d lost effects", lost.size()).isEmpty();
        });
        return this;
    }

    /** Checks effects, rows and letters. */
    void everyEntryIsHandledOnce() {
        change.components().forEach(this::check);
        assertThat(StoredSequences.findAll(replica.store().deadLetterStore(), VersionedReplica.PROCESSOR))
                .as("parked sequences")
                .isEmpty();
        assertThat(letters()).as("letters").isZero();
    }

    /** Returns the entries without the effects that they must have. */
    List<String> lost() {
        List<String> lost = new ArrayList<>();
        for (String component : change.components()) {
            Map<String, List<EventMessage>> effects = effectsOf(component);
            read(Entries.ENTRIES.stream()).forEach((key, entries) -> {
                List<Integer> applied = numbers(effects.getOrDefault(key, List.of()));
                entries.stream()
                        .filter(entry -> mustHandle(component, entry) && !applied.contains((int) entry.version()))
                        .forEach(entry -> lost.add(component + ": " + key + "/" + entry.version()));
            });
        }
        return lost;
    }

    private void check(String component) {
        Map<String, List<EventMessage>> effects = effectsOf(component);
        Map<String, RevisedTotals> rows = rows(component);
        read(Entries.ENTRIES.stream()).forEach((key, entries) -> {
            List<EventMessage> applied = effects.getOrDefault(key, List.of());
            List<EventMessage> expected = expected(component, entries, applied);
            assertThat(numbers(applied))
                    .as("effects of %s on %s, in order", component, key)
                    .isEqualTo(expected.stream()
                            .map(entry -> (int) entry.version())
                            .toList());
            assertThat(applied)
                    .extracting(EventMessage::id)
                    .isEqualTo(expected.stream()
                            .map(entry -> idOfEffect(component, entry))
                            .toList());
            RevisedTotals row = rows.getOrDefault(key, new RevisedTotals(0, null));
            assertThat(row.handled())
                    .as("handled entries of %s in %s", key, component)
                    .isEqualTo(expected.size());
            assertThat(row.revisedOrZero()).as("revised entries of %s", key).isEqualTo(expectedRevised(expected));
        });
    }

    /** A component that started to run in the middle of the stream may have handled some entries before it had to. */
    private List<EventMessage> expected(String component, List<EventMessage> entries, List<EventMessage> applied) {
        int first = applied.isEmpty() ? Integer.MAX_VALUE : numbers(applied).get(0);
        return entries.stream()
                .filter(entry -> change.handles(component, entry.type()))
                .filter(entry -> mustHandle(component, entry) || entry.version() >= first)
                .toList();
    }

    private boolean mustHandle(String component, EventMessage entry) {
        return change.handles(component, entry.type())
                && (component.equals(VersionChange.FIRST)
                        || entry.version() > registeredAt.getOrDefault(entry.key(), 0));
    }

    private long expectedRevised(List<EventMessage> handled) {
        return change == VersionChange.NEW_FIELD
                ? handled.stream()
                        .filter(entry -> entry.type().equals("Revised"))
                        .count()
                : 0;
    }

    private static UUID idOfEffect(String component, EventMessage entry) {
        String id = VersionedReplica.SERVICE + "/" + VersionedReplica.PROCESSOR + "/" + component;
        return EventIds.derive(entry.id(), id, 0);
    }

    private Map<String, RevisedTotals> rows(String component) {
        Map<String, RevisedTotals> rows = new TreeMap<>();
        Map<String, RevisedTotals> page;
        String last = "";
        do {
            page = replica.service().views().page(Entries.revisedTotals(component), last, PAGE);
            rows.putAll(page);
            last = page.isEmpty() ? last : new TreeMap<>(page).lastKey();
        } while (!page.isEmpty());
        return rows;
    }

    private Map<String, List<EventMessage>> effectsOf(String component) {
        return read(Entries.effects(component).stream());
    }

    private List<Integer> numbers(List<EventMessage> effects) {
        return effects.stream()
                .map(event -> codec.decode(event.payload(), Applied.class).number())
                .toList();
    }

    private Map<String, List<EventMessage>> read(String stream) {
        Map<String, List<EventMessage>> events = new TreeMap<>();
        long position = 0;
        List<EventMessage> page;
        do {
            page = replica.store().eventLog().readStream(stream, position, PAGE);
            for (EventMessage event : page) {
                events.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(event);
                position = event.position();
            }
        } while (!page.isEmpty());
        return events;
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
}

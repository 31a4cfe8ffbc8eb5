package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.UnitChecks;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.NewEvent;
import io.holdfast.failover.Witnessed;
import io.holdfast.outbox.OutboxEntry;
import io.holdfast.outbox.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Writes entries in the caller's transaction; {@link #assignPositions} moves them into the log. Each key has a counter
 * row, which the caller's transaction locks until it ends. That orders the writers of one key. A writer waits for
 * another at most as long as the lock timeout of its own connection. It never needs a second connection.
 */
final class JdbcOutboxStore implements OutboxStore {

    private final String service;
    private final Database database;
    private final UUID log;
    private final CurrentConnection transactions;
    private final Clock clock;
    private final CommitPoint.Observer points;
    private final OutboxEviction eviction;
    /** Outbox streams that are registered and committed. */
    private final Set<String> knownOutboxStreams = ConcurrentHashMap.newKeySet();

    JdbcOutboxStore(
            String service,
            Database database,
            UUID log,
            CurrentConnection transactions,
            Clock clock,
            CommitPoint.Observer points) {
        this.service = service;
        this.database = database;
        this.log = log;
        this.transactions = transactions;
        this.clock = clock;
        this.points = points;
        this.eviction = new OutboxEviction(database, points);
        knownOutboxStreams.addAll(streams());
    }

    @Override
    public OutboxEntry write(String stream, String key, NewEvent event) {
        Connection connection = transactions
                .find()
                .orElseThrow(() -> new PermanentException(
                        "the outbox must be written inside a transaction, and this thread has none"));
        AggregateKey id = new AggregateKey(stream, key);
        try {
            registerOutboxStream(connection, stream);
            Instant now = clock.instant();
            EventDraft draft = new EventDraft(
                    EventIds.random(now),
                    service,
                    id,
                    nextVersion(connection, id),
                    now,
                    event.metadata(),
                    event.payload());
            insert(connection, draft);
            return new OutboxEntry(draft.id(), draft.version());
        } catch (SQLException e) {
            throw SqlErrors.of("writing to the outbox for " + id, e);
        }
    }

    private boolean hasUnpositioned() {
        return database.read("checking for outbox entries", connection -> {
            try (PreparedStatement query = connection.prepareStatement("select 1 from holdfast_outbox limit 1");
                    ResultSet row = query.executeQuery()) {
                return row.next();
            }
        });
    }

    @Override
    public int assignPositions(int limit, Witnessed witnessed) {
        if (!hasUnpositioned()) {
            return 0; // spares the head lock, which all commits share: most services have no outbox stream
        }
        return database.write("assigning positions to outbox entries", connection -> {
            LogHead head = database.lockHead(connection, witnessed);
            witnessed.requireIn(head.reading());
            List<Long> numbers = new ArrayList<>();
            List<EventDraft> drafts = findUnpositioned(connection, limit, numbers);
            if (drafts.isEmpty()) {
                return 0;
            }
            points.before(CommitPoint.OUTBOX_ASSIGN_POSITIONS);
            Set<String> streams =
                    drafts.stream().map(draft -> draft.key().stream()).collect(Collectors.toSet());
            CommittedVersions committed =
                    CommittedVersions.load(connection, database.dialect(), Set.of(), Set.of(), streams);
            EventPositions positions = new EventPositions(head.identity(log), head.position(), committed.streams());
            List<EventMessage> events = positions.assign(drafts);
            UnitWriter writer = new UnitWriter(connection, database.dialect());
            if (!writer.events(
                    new PositionedEvents(events, positions.streamHeads().values(), true, head, clock.instant()))) {
                throw new PermanentException("cannot assign positions to outbox entries: one of the streams " + streams
                        + " is event-sourced. A stream is either event-sourced or an outbox stream; see table"
                        + " holdfast_stream");
            }
            delete(connection, numbers);
            connection.commit();
            knownOutboxStreams.addAll(streams);
            points.after(CommitPoint.OUTBOX_ASSIGN_POSITIONS);
            return events.size();
        });
    }

    @Override
    public long countUnpositioned() {
        return database.read("counting outbox entries", connection -> {
            try (PreparedStatement query = connection.prepareStatement("select count(*) from holdfast_outbox");
                    ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Override
    public int evict(String stream, long upTo, Instant positionedBefore) {
        return eviction.evict(stream, upTo, positionedBefore);
    }

    @Override
    public List<String> streams() {
        List<String> registered = database.read("reading the outbox streams", connection -> {
            try (PreparedStatement query = connection.prepareStatement(
                            "select stream from holdfast_stream where outbox order by stream");
                    ResultSet row = query.executeQuery()) {
                List<String> streams = new ArrayList<>();
                while (row.next()) {
                    streams.add(row.getString(1));
                }
                return streams;
            }
        });
        knownOutboxStreams.addAll(registered);
        return registered;
    }

    /**
     * Registers a stream in the caller's transaction. A second connection could be one too many: if all connections of
     * the pool are in transactions that need another one, each waits for the others. The price: until the first
     * transaction of a stream has ended, others that write to the stream wait for it. They are known later, because this
     * one may be rolled back.
     */
    private void registerOutboxStream(Connection connection, String stream) throws SQLException {
        if (knownOutboxStreams.contains(stream) || isOutboxStream(connection, stream)) {
            return;
        }
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_stream", "stream, outbox, head_position", "stream", "cast(? as varchar), true, 0");
        database.insertIfAbsent(connection, insert, statement -> statement.setString(1, stream));
        if (!isOutboxStream(connection, stream)) {
            throw UnitChecks.streamKindConflict(stream, "event-sourced");
        }
    }

    static boolean isOutboxStream(Connection connection, String stream) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select outbox from holdfast_stream where stream = ?")) {
            query.setString(1, stream);
            try (ResultSet row = query.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    private long nextVersion(Connection connection, AggregateKey key) throws SQLException {
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_outbox_key",
                        "stream, aggregate_key, last_version",
                        "stream, aggregate_key",
                        "cast(? as varchar), cast(? as varchar), 0");
        database.insertIfAbsent(connection, insert, statement -> {
            statement.setString(1, key.stream());
            statement.setString(2, key.key());
        });
        String raise = database.dialect()
                .returning(
                        "update holdfast_outbox_key set last_version = last_version + 1"
                                + " where stream = ? and aggregate_key = ?",
                        "last_version");
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            statement.setString(1, key.stream());
            statement.setString(2, key.key());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void insert(Connection connection, EventDraft draft) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into holdfast_outbox (" + EventColumns.CONTENT + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            EventColumns.setContent(insert, 1, draft);
            insert.executeUpdate();
        }
    }

    /** Entries of one key have ascending numbers in commit order, because the key's counter row stays locked. */
    private static List<EventDraft> findUnpositioned(Connection connection, int limit, List<Long> numbers)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select entry_number, " + EventColumns.CONTENT
                + " from holdfast_outbox order by entry_number limit ?")) {
            query.setInt(1, limit);
            List<EventDraft> drafts = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    numbers.add(row.getLong("entry_number"));
                    drafts.add(EventColumns.draft(row));
                }
            }
            return drafts;
        }
    }

    private void delete(Connection connection, List<Long> numbers) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement("delete from holdfast_outbox where entry_number in (select k.n from unnest("
                        + database.dialect().array("bigint") + ") as k(n))")) {
            delete.setArray(1, connection.createArrayOf("bigint", numbers.toArray()));
            delete.executeUpdate();
        }
    }
}

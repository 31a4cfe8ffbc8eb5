package io.holdfast.jdbc;

import io.holdfast.action.Settlement;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.RowWrite;
import io.holdfast.commit.UnitChecks;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.view.RowKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The committed versions, tokens and queues that a batch is checked against, loaded with one query per table. Requires
 * the head lock.
 */
final class CommittedVersions implements UnitChecks.Committed {

    /**
     * Not {@code max(key_version)}, for which H2 reads the whole history of the key. It uses an index in reverse order only
     * for all of its columns.
     */
    static final String NEWEST_VERSION = "(select e.key_version from holdfast_event e"
            + " where e.stream = k.s and e.aggregate_key = k.a"
            + " order by e.stream desc, e.aggregate_key desc, e.key_version desc limit 1)";

    private static final String STREAM_COLUMNS = "s.outbox, s.head_position, s.head_id, l.log_id, l.epoch";

    private static final long NEVER_WRITTEN = 0;

    private final Map<AggregateKey, Long> keys = new HashMap<>();
    private final Map<RowKey, Long> rows = new HashMap<>();
    private final Map<Segment, ClaimedToken> tokens = new HashMap<>();
    private final Map<String, StreamHead> streams = new HashMap<>();
    private final Set<String> outboxStreams = new HashSet<>();
    private final Set<Settlement> openItems = new HashSet<>();
    private final CommittedQueues queues;

    private CommittedVersions(CommittedQueues queues) {
        this.queues = queues;
    }

    /** @param known the versions that were loaded under the same head lock, which are not loaded again */
    static CommittedVersions load(
            Connection connection, Dialect dialect, List<UnitWrites> units, CommittedVersions known)
            throws SQLException {
        Set<AggregateKey> keys = units.stream()
                .flatMap(unit -> unit.events().stream())
                .map(EventDraft::key)
                .collect(Collectors.toSet());
        Set<RowKey> rows = units.stream()
                .flatMap(unit -> unit.rows().stream())
                .map(RowWrite::key)
                .collect(Collectors.toSet());
        Set<Segment> segments = units.stream()
                .flatMap(unit -> unit.tokenAdvance().stream())
                .map(advance -> advance.claim().segment())
                .collect(Collectors.toSet());
        List<LetterWrites> letters = units.stream().map(UnitWrites::letters).toList();
        CommittedVersions versions = new CommittedVersions(CommittedQueues.load(connection, dialect, letters));
        versions.add(known);
        keys.removeAll(known.keys.keySet());
        rows.removeAll(known.rows.keySet());
        versions.load(connection, dialect, keys, rows, segments, Set.of());
        versions.openItems.addAll(ItemRows.lockOpen(
                connection,
                units.stream().flatMap(unit -> unit.settlements().stream()).toList()));
        return versions;
    }

    /** Returns an instance that knows no version. */
    static CommittedVersions none() {
        return new CommittedVersions(new CommittedQueues(Map.of(), Map.of()));
    }

    private void add(CommittedVersions known) {
        keys.putAll(known.keys);
        rows.putAll(known.rows);
        streams.putAll(known.streams);
        outboxStreams.addAll(known.outboxStreams);
    }

    /** @param streams the streams whose heads are loaded in addition to those of the keys */
    static CommittedVersions load(
            Connection connection, Dialect dialect, Set<AggregateKey> keys, Set<RowKey> rows, Set<String> streams)
            throws SQLException {
        CommittedVersions versions = none();
        versions.load(connection, dialect, keys, rows, Set.of(), streams);
        return versions;
    }

    private void load(
            Connection connection,
            Dialect dialect,
            Set<AggregateKey> wantedKeys,
            Set<RowKey> wantedRows,
            Set<Segment> segments,
            Set<String> wantedStreams)
            throws SQLException {
        loadKeys(connection, dialect, wantedKeys);
        if (!wantedRows.isEmpty()) {
            wantedRows.forEach(row -> rows.put(row, NEVER_WRITTEN)); // known as well, so a new row is looked up once
            rows.putAll(JdbcViewStore.findVersions(connection, dialect, wantedRows));
        }
        loadTokens(connection, dialect, segments);
        loadStreams(connection, dialect, wantedStreams);
    }

    @Override
    public long version(AggregateKey key) {
        return keys.getOrDefault(key, 0L);
    }

    @Override
    public long version(RowKey row) {
        return rows.getOrDefault(row, NEVER_WRITTEN);
    }

    @Override
    public @Nullable ClaimedToken token(Segment segment) {
        return tokens.get(segment);
    }

    /** Always false: the insert detects a duplicate, and checking first would cost every batch a query. */
    @Override
    public boolean exists(UUID id) {
        return false;
    }

    /** Always false, as {@link #exists(UUID)}. */
    @Override
    public boolean isParked(UnitChecks.ParkedEvent event) {
        return false;
    }

    /** Always false, as {@link #exists(UUID)}. */
    @Override
    public boolean exists(LetterId letter) {
        return false;
    }

    @Override
    public boolean isOpen(Settlement settlement) {
        return openItems.contains(settlement);
    }

    @Override
    public boolean isOutboxStream(String stream) {
        return outboxStreams.contains(stream);
    }

    @Override
    public QueueCounts counts(String component) {
        return queues.counts(component);
    }

    @Override
    public @Nullable ParkedSequence sequence(SequenceId id) {
        return queues.sequence(id);
    }

    Map<String, StreamHead> streams() {
        return streams;
    }

    /** Also loads the heads of their streams, which saves a round trip. */
    private void loadKeys(Connection connection, Dialect dialect, Collection<AggregateKey> wanted) throws SQLException {
        if (wanted.isEmpty()) {
            return;
        }
        String pairs = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ") as k(s, a)";
        try (PreparedStatement query =
                connection.prepareStatement("select k.s, k.a, " + NEWEST_VERSION + ", " + STREAM_COLUMNS + " from "
                        + pairs + " left join holdfast_stream s on s.stream = k.s cross join holdfast_log l")) {
            query.setArray(
                    1,
                    connection.createArrayOf(
                            "varchar", wanted.stream().map(AggregateKey::stream).toArray(String[]::new)));
            query.setArray(
                    2,
                    connection.createArrayOf(
                            "varchar", wanted.stream().map(AggregateKey::key).toArray(String[]::new)));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    AggregateKey key = new AggregateKey(row.getString(1), row.getString(2));
                    keys.put(key, row.getLong(3));
                    if (!streams.containsKey(key.stream()) && !outboxStreams.contains(key.stream())) {
                        addStream(key.stream(), row);
                    }
                }
            }
        }
    }

    private void loadTokens(Connection connection, Dialect dialect, Collection<Segment> wanted) throws SQLException {
        if (!wanted.isEmpty()) {
            new TokenRows(connection, dialect)
                    .lock(wanted)
                    .forEach(claimed -> tokens.put(claimed.token().segment(), claimed));
        }
    }

    private void loadStreams(Connection connection, Dialect dialect, Collection<String> wanted) throws SQLException {
        if (wanted.isEmpty()) {
            return;
        }
        try (PreparedStatement query = connection.prepareStatement(
                "select s.stream, " + STREAM_COLUMNS + " from unnest(" + dialect.array("varchar")
                        + ") as k(n) join holdfast_stream s on s.stream = k.n" + " cross join holdfast_log l")) {
            query.setArray(1, connection.createArrayOf("varchar", wanted.toArray()));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    addStream(row.getString("stream"), row);
                }
            }
        }
    }

    /** For an unknown stream the columns are null, which reads as no head and no outbox stream. */
    private void addStream(String stream, ResultSet row) throws SQLException {
        if (row.getBoolean("outbox")) {
            outboxStreams.add(stream);
        }
        if (row.getLong("head_position") > 0) {
            LogIdentity log = new LogIdentity(row.getObject("log_id", UUID.class), row.getInt("epoch"));
            streams.put(
                    stream,
                    new StreamHead(stream, log, row.getLong("head_position"), EventColumns.uuid(row, "head_id")));
        }
    }
}

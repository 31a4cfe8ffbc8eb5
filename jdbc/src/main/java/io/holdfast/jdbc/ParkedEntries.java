package io.holdfast.jdbc;

import static io.holdfast.jdbc.EventColumns.timestamp;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStatus;
import io.holdfast.deadletter.entry.EntryStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds parked entries: reads sequences in order from an index, and then their letters. Filters on letters are evaluated by
 * the database, a chunk of letters at a time.
 */
final class ParkedEntries {

    /** The number of letters that are examined with one query. */
    private static final int CHUNK = 1_000;

    /** More components than these are selected from the sequences of all components. */
    private static final int MAX_INDEXED_COMPONENTS = 20;

    private final Connection connection;
    private final Dialect dialect;
    private final EntryQuery query;
    private final List<String> states;
    private final List<Entry> found = new ArrayList<>();
    private int examined;
    private @Nullable EntryCursor position;

    ParkedEntries(Connection connection, Dialect dialect, EntryQuery query) {
        this.connection = connection;
        this.dialect = dialect;
        this.query = query;
        this.states = query.statuses().stream()
                .filter(EntryStatus::isParked)
                .map(Enum::name)
                .toList();
        this.position = query.after();
    }

    EntrySearch search() throws SQLException {
        if (states.isEmpty()) {
            return EntrySearch.NONE;
        }
        if (query.selectsFew() || isRareType()) {
            return new EntrySearch(few(), null);
        }
        boolean hasMore = true;
        while (hasMore && found.size() <= query.limit() && examined < maxExamined()) {
            hasMore = examineNext();
        }
        return new EntrySearch(found, hasMore && found.size() <= query.limit() ? position : null);
    }

    private int maxExamined() {
        return query.examinesLetters() ? EntryStore.MAX_EXAMINED : Integer.MAX_VALUE;
    }

    /** Returns whether so few letters have the event type that reading all of them costs less than a search. */
    private boolean isRareType() throws SQLException {
        String type = query.eventType();
        if (type == null) {
            return false;
        }
        Sql sql = new Sql("select count(*) as letters from (select 1 from holdfast_letter l where l.event_type = ?");
        sql.append("", type).append(" limit ?) c", EntryStore.MAX_EXAMINED + 1);
        return EntryRows.query(connection, sql, row -> row.getInt("letters")).get(0) <= EntryStore.MAX_EXAMINED;
    }

    /** Reads the letters that an index finds, whatever their sequences. */
    private List<Entry> few() throws SQLException {
        Sql sql = new Sql("select " + EntryRows.PARKED + " from holdfast_letter l join holdfast_sequence s"
                        + " on s.component = l.component and s.sequence = l.sequence where 1 = 1")
                .append(EntryConditions.filters(query, "l"))
                .append(" and s.state in (" + names(states) + ")", states.toArray());
        within(sql);
        ofGroup(sql);
        ofProcessor(sql);
        ofComponents(sql);
        EntryCursor after = query.after();
        if (after != null) {
            sql.append(
                    " and ((s.since, s.component, s.sequence) < (?, ?, ?)"
                            + " or ((s.since, s.component, s.sequence) = (?, ?, ?) and l.number > ?))",
                    timestamp(after.time()),
                    after.component(),
                    after.sequence(),
                    timestamp(after.time()),
                    after.component(),
                    after.sequence(),
                    after.number());
        }
        sql.append(" order by s.since desc, s.component desc, s.sequence desc, l.number limit ?", query.limit() + 1);
        return EntryRows.query(connection, sql, EntryRows::parked);
    }

    private static String names(List<?> values) {
        return values.stream().map(value -> "?").collect(Collectors.joining(", "));
    }

    private void within(Sql sql) {
        if (query.from() != null) {
            sql.append(" and s.since >= ?", timestamp(query.from()));
        }
        if (query.to() != null) {
            sql.append(" and s.since < ?", timestamp(query.to()));
        }
    }

    private void ofGroup(Sql sql) {
        if (query.causeGroup() != null) {
            sql.append(" and s.cause_group = ?", query.causeGroup());
        }
    }

    private void ofProcessor(Sql sql) {
        if (query.processor() != null) {
            sql.append(" and s.consumer = ?", query.processor());
        }
    }

    private void ofComponents(Sql sql) {
        if (!query.components().isEmpty()) {
            List<String> ids = List.copyOf(query.components());
            sql.append(" and s.component in (" + names(ids) + ")", ids.toArray());
        }
    }

    /** @return whether there may be more letters */
    private boolean examineNext() throws SQLException {
        int budget = query.examinesLetters()
                ? Math.min(CHUNK, EntryStore.MAX_EXAMINED - examined)
                : query.limit() + 1 - found.size();
        List<ParkedSequence> sequences = sequences(budget);
        if (sequences.isEmpty()) {
            return false;
        }
        long from = fromNumber(sequences.get(0));
        if (sequences.get(0).size() > budget) {
            examinePart(sequences.get(0), from, budget);
            return true;
        }
        List<ParkedSequence> whole = new ArrayList<>();
        int letters = 0;
        for (ParkedSequence sequence : sequences) {
            letters += sequence.size();
            if (letters > budget) {
                break;
            }
            whole.add(sequence);
        }
        examineWhole(whole, from);
        return whole.size() < sequences.size() || sequences.size() == budget;
    }

    /** A page may have ended in the middle of a sequence. */
    private long fromNumber(ParkedSequence first) {
        return position != null && isAt(first, position) ? position.number() + 1 : Long.MIN_VALUE;
    }

    private static boolean isAt(ParkedSequence sequence, EntryCursor at) {
        return sequence.since().equals(at.time())
                && sequence.id().component().equals(at.component())
                && sequence.id().sequence().equals(at.sequence());
    }

    /** Reads the sequences from the current position on, in order. */
    private List<ParkedSequence> sequences(int limit) throws SQLException {
        boolean byComponent = query.causeGroup() == null
                && !query.components().isEmpty()
                && query.components().size() <= MAX_INDEXED_COMPONENTS;
        List<@Nullable String> components = new ArrayList<>();
        if (byComponent) {
            components.addAll(query.components());
        } else {
            components.add(null);
        }
        Sql all = new Sql("select * from (");
        String separator = "";
        for (String component : components) {
            for (String state : states) {
                all.append(separator).append(sequences(state, component, limit));
                separator = " union all ";
            }
        }
        all.append(") s order by s.since desc, s.component desc, s.sequence desc limit ?", limit);
        return EntryRows.query(connection, all, SequenceRows::sequence);
    }

    private Sql sequences(String state, @Nullable String component, int limit) {
        Sql sql = new Sql("(select " + SequenceRows.COLUMNS + " from holdfast_sequence s where s.state = ?");
        sql.append("", state);
        ofGroup(sql);
        ofProcessor(sql);
        if (component == null) {
            ofComponents(sql);
        } else {
            sql.append(" and s.component = ?", component);
        }
        within(sql);
        if (position != null) {
            // a sequence whose last letter was reached would be read for nothing
            sql.append(
                    " and s.since <= ? and (s.since, s.component, s.sequence) <= (?, ?, ?)"
                            + " and not (s.component = ? and s.sequence = ? and s.last_letter <= ?)",
                    timestamp(position.time()),
                    timestamp(position.time()),
                    position.component(),
                    position.sequence(),
                    position.component(),
                    position.sequence(),
                    position.number());
        }
        return sql.append(" order by " + order(component) + " limit ?)", limit);
    }

    /** H2 reads an index backwards only if all its columns are descending. */
    private String order(@Nullable String component) {
        if (component != null) {
            return "s.component desc, s.state desc, s.since desc, s.sequence desc";
        }
        String byTime = "s.state desc, s.since desc, s.component desc, s.sequence desc";
        if (query.causeGroup() != null) {
            return "s.cause_group desc, " + byTime;
        }
        return query.processor() != null && query.components().isEmpty() ? "s.consumer desc, " + byTime : byTime;
    }

    private void examineWhole(List<ParkedSequence> sequences, long fromOfFirst) throws SQLException {
        String keys = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ", "
                + dialect.array("bigint") + ") as k(c, i, n)";
        Sql filters = EntryConditions.filters(query, "l");
        Sql sql = new Sql("select " + EntryRows.PARKED + " from "
                + dialect.joinByKeys(
                        dialect.joinByKeys(
                                keys,
                                "holdfast_letter",
                                "l",
                                "l.component = k.c and l.sequence = k.i and l.number >= k.n"),
                        "holdfast_sequence",
                        "s",
                        "s.component = l.component and s.sequence = l.sequence")
                + " where 1 = 1");
        sql.array("varchar", sequences.stream().map(it -> it.id().component()).toArray(String[]::new));
        sql.array("varchar", sequences.stream().map(it -> it.id().sequence()).toArray(String[]::new));
        Long[] from = sequences.stream().map(it -> Long.MIN_VALUE).toArray(Long[]::new);
        from[0] = fromOfFirst;
        sql.array("bigint", from);
        sql.append(filters);
        add(EntryRows.query(connection, sql, EntryRows::parked));
        examined += sequences.stream().mapToInt(ParkedSequence::size).sum();
        ParkedSequence last = sequences.get(sequences.size() - 1);
        position = at(last, last.last());
    }

    /** Examines some letters of a sequence that is too long to be read as a whole. */
    private void examinePart(ParkedSequence sequence, long from, int count) throws SQLException {
        Sql numbers = new Sql("select l.number from holdfast_letter l")
                .append(
                        " where l.component = ? and l.sequence = ? and l.number >= ?"
                                + " order by l.component, l.sequence, l.number limit ?",
                        sequence.id().component(),
                        sequence.id().sequence(),
                        from,
                        count);
        List<Long> part = EntryRows.query(connection, numbers, row -> row.getLong("number"));
        if (part.isEmpty()) {
            position = at(sequence, Math.max(sequence.last(), from)); // its last letters were removed meanwhile
            return;
        }
        long until = part.get(part.size() - 1);
        Sql sql = new Sql("select " + EntryRows.PARKED + " from holdfast_letter l join holdfast_sequence s"
                        + " on s.component = l.component and s.sequence = l.sequence")
                .append(
                        " where l.component = ? and l.sequence = ? and l.number >= ? and l.number <= ?",
                        sequence.id().component(),
                        sequence.id().sequence(),
                        from,
                        until)
                .append(EntryConditions.filters(query, "l"));
        add(EntryRows.query(connection, sql, EntryRows::parked));
        examined += part.size();
        position = at(sequence, until);
    }

    /** What has left the selection since its sequence was read is not listed. */
    private void add(List<Entry> entries) {
        entries.stream()
                .filter(query::covers)
                .sorted(Comparator.comparing(Entry::cursor))
                .forEach(found::add);
    }

    private static EntryCursor at(ParkedSequence sequence, long number) {
        return new EntryCursor(
                sequence.since(), sequence.id().component(), sequence.id().sequence(), number);
    }

    /** Counts the entries that match. */
    EntryCount count() throws SQLException {
        if (states.isEmpty()) {
            return EntryCount.exactly(0);
        }
        Sql letters = new Sql("select " + EntryRows.EXAMINED
                + " from holdfast_sequence s join holdfast_letter l"
                + " on l.component = s.component and l.sequence = s.sequence where s.state in (" + names(states) + ")");
        letters.append("", states.toArray());
        within(letters);
        ofGroup(letters);
        ofProcessor(letters);
        ofComponents(letters);
        letters.append(EntryConditions.selective(query, "l"));
        return EntryRows.count(connection, query, letters);
    }
}

package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOriginal;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryDetails;
import io.holdfast.deadletter.entry.EntryPage;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.deadletter.entry.GroupQuery;
import io.holdfast.event.Names;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads entries from the tables of letters, sequences, queues and resolved letters. */
final class JdbcEntryStore implements EntryStore {

    private static final EntryPage EMPTY = new EntryPage(List.of(), null, null);

    private final Database database;
    private final Dialect dialect;

    JdbcEntryStore(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    @Override
    public EntryPage find(EntryQuery query) {
        return isStorable(query)
                ? database.read("listing entries", connection -> new ParkedEntries(connection, dialect, query)
                        .search()
                        .page(new ResolvedEntries(connection, query).search(), query.limit()))
                : EMPTY;
    }

    /** No database stores other texts: PostgreSQL refuses them, and a driver may change them into others. */
    private static boolean isStorable(EntryQuery query) {
        Stream<@Nullable String> texts = Stream.of(
                query.processor(),
                query.eventType(),
                query.causeType(),
                query.causeGroup(),
                query.sagaId(),
                query.correlationId(),
                query.key(),
                query.text());
        return Stream.concat(texts, query.components().stream())
                .allMatch(text -> text == null || Names.isStorable(text));
    }

    @Override
    public EntryCount count(EntryQuery query) {
        return isStorable(query)
                ? database.read("counting entries", connection -> count(connection, query))
                : EntryCount.exactly(0);
    }

    private EntryCount count(Connection connection, EntryQuery query) throws SQLException {
        boolean isCounted = !query.examinesLetters() && query.from() == null && query.to() == null;
        ResolvedEntries resolved = new ResolvedEntries(connection, query);
        return isCounted
                ? new ParkedCounts(connection, query)
                        .count()
                        .plus(query.causeGroup() == null ? resolved.countAll() : resolved.count())
                : new ParkedEntries(connection, dialect, query).count().plus(resolved.count());
    }

    @Override
    public Optional<EntryDetails> find(String component, UUID event) {
        return database.read("reading an entry of " + component, connection -> {
            Optional<EntryDetails> parked = findParked(connection, component, event);
            return parked.isPresent() ? parked : findResolved(connection, component, event);
        });
    }

    private static Optional<EntryDetails> findParked(Connection connection, String component, UUID event)
            throws SQLException {
        Optional<DeadLetter> letter = LetterRows.find(connection, component, event);
        if (letter.isEmpty()) {
            return Optional.empty();
        }
        Sql sql = new Sql("select " + EntryRows.PARKED + " from holdfast_letter l join holdfast_sequence s"
                        + " on s.component = l.component and s.sequence = l.sequence")
                .append(" where l.component = ? and l.event_id = ?", component, event);
        List<LetterOriginal> originals = LetterOriginalRows.find(connection, component, event);
        return EntryRows.query(connection, sql, EntryRows::parked).stream()
                .findFirst()
                .map(entry -> new EntryDetails(entry, letter.get(), originals));
    }

    private static Optional<EntryDetails> findResolved(Connection connection, String component, UUID event)
            throws SQLException {
        List<LetterOriginal> originals = LetterOriginalRows.find(connection, component, event);
        return ResolvedLetterRows.find(connection, component, event).flatMap(resolved -> Entry.of(resolved)
                .map(entry -> new EntryDetails(entry, resolved.letter(), originals)));
    }

    @Override
    public List<CauseGroup> groups(GroupQuery query) {
        return database.read("listing cause groups", connection -> CauseGroupRows.find(connection, dialect, query));
    }

    @Override
    public boolean note(String group, @Nullable String text, String by) {
        if (text != null && text.length() > CauseGroup.MAX_NOTE) {
            throw new PermanentException("a note must have at most " + CauseGroup.MAX_NOTE + " characters");
        }
        return database.write(
                "noting on cause group " + group, connection -> CauseGroupRows.note(connection, group, text, by));
    }
}

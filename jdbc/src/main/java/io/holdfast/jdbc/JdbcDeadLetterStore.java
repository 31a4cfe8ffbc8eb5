package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLedger;
import io.holdfast.deadletter.SagaLetters;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.Names;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads committed letters and sequences, and changes them under the head lock. */
final class JdbcDeadLetterStore implements DeadLetterStore {

    private final Database database;
    private final EngineTransactions transactions;
    private final Dialect dialect;
    private final CommitPoint.Observer points;

    JdbcDeadLetterStore(Database database, EngineTransactions transactions, CommitPoint.Observer points) {
        this.database = database;
        this.transactions = transactions;
        this.dialect = database.dialect();
        this.points = points;
    }

    @Override
    public List<ParkedSequence> findSequences(
            String consumer, int number, int mask, Set<SequenceState> states, int limit) {
        return database.read(
                "reading the parked sequences of " + consumer,
                connection -> SequenceRows.findOfSegment(connection, dialect, consumer, number, mask, states, limit));
    }

    @Override
    public List<ParkedSequence> findSequences(Collection<SequenceId> ids) {
        return ids.isEmpty() ? List.of() : read("reading parked sequences", reads -> reads.findSequences(ids));
    }

    @Override
    public Optional<ParkedSequence> find(SequenceId sequence) {
        return read("reading a parked sequence of " + sequence.component(), reads -> reads.find(sequence));
    }

    @Override
    public List<ParkedSequence> findByNextAttempt(String component, @Nullable SequenceCursor after, int limit) {
        return findInOrder(SequenceOrder.NEXT_ATTEMPT, component, after, limit);
    }

    @Override
    public List<ParkedSequence> findByAge(String component, @Nullable SequenceCursor after, int limit) {
        return findInOrder(SequenceOrder.AGE, component, after, limit);
    }

    @Override
    public List<ParkedSequence> findNewest(String component, @Nullable SequenceCursor before, int limit) {
        return findInOrder(SequenceOrder.NEWEST, component, before, limit);
    }

    private List<ParkedSequence> findInOrder(
            SequenceOrder order, String component, @Nullable SequenceCursor after, int limit) {
        return database.read(
                "reading the parked sequences of " + component,
                connection -> SequenceRows.findInOrder(connection, order, component, after, limit));
    }

    @Override
    public Optional<Instant> findOldestPending(String component) {
        return database.read(
                "reading the oldest pending sequence of " + component,
                connection -> SequenceRows.findOldestPending(connection, component));
    }

    @Override
    public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return read(
                "reading letters of " + sequence.component(), reads -> reads.findLetters(sequence, fromNumber, limit));
    }

    @Override
    public Map<SequenceId, List<DeadLetter>> findFirstLetters(Collection<ParkedSequence> sequences, int most) {
        if (sequences.isEmpty()) {
            return Map.of();
        }
        Map<SequenceId, List<DeadLetter>> first = new HashMap<>();
        sequences.forEach(sequence -> first.put(sequence.id(), new ArrayList<>()));
        database.read(
                        "reading the first letters of " + sequences.size() + " sequences",
                        connection -> LetterRows.findFirst(connection, dialect, sequences, most))
                .forEach(letter ->
                        Objects.requireNonNull(first.get(letter.sequence())).add(letter));
        return first;
    }

    /** Omits ids that no database stores: PostgreSQL refuses them, and a driver may change them into other ids. */
    @Override
    public Map<String, SagaLetters> findSagaLetters(Collection<String> sagaIds, int most) {
        Set<String> storable = sagaIds.stream().filter(Names::isStorable).collect(Collectors.toSet());
        return storable.isEmpty()
                ? Map.of()
                : database.read(
                        "reading the letters of " + storable.size() + " sagas",
                        connection -> SagaLetterRows.find(connection, dialect, storable, most));
    }

    @Override
    public Optional<DeadLetter> findLetter(String component, UUID event) {
        return read("reading a letter of " + component, reads -> reads.findLetter(component, event));
    }

    @Override
    public QueueCounts counts(String component) {
        return database.read("counting the letters of " + component, connection -> QueueRows.find(
                        connection, dialect, List.of(component))
                .getOrDefault(component, QueueCounts.EMPTY));
    }

    @Override
    public void change(String consumer, Function<LetterReads, LetterWrites> change) {
        if (database.onOwnThread(() -> changed(consumer, change))) {
            points.after(CommitPoint.LETTERS_CHANGE);
        }
    }

    private boolean changed(String consumer, Function<LetterReads, LetterWrites> change) {
        try (JoinedTransaction transaction = transactions.begin()) {
            database.lockHead(transaction.connection());
            LetterWrites writes = change.apply(transaction.letters());
            if (writes.isEmpty()) {
                return false;
            }
            LetterChangeTransaction letters = new LetterChangeTransaction(transaction, dialect);
            QueueLedger ledger = letters.check(writes);
            points.before(CommitPoint.LETTERS_CHANGE);
            letters.write(consumer, writes, ledger);
            transaction.commit();
            return true;
        } catch (SQLException e) {
            throw SqlErrors.of("changing letters of " + consumer, e);
        }
    }

    private <T> T read(String what, Function<LetterReads, T> read) {
        return database.read(what, connection -> read.apply(new JdbcLetterTables(connection, dialect)));
    }
}

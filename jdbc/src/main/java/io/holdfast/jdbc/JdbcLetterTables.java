package io.holdfast.jdbc;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads and writes letters with plain JDBC, on one connection. */
record JdbcLetterTables(Connection connection, Dialect dialect) implements LetterTables {

    @Override
    public Optional<ParkedSequence> find(SequenceId sequence) {
        return findSequences(List.of(sequence)).stream().findFirst();
    }

    @Override
    public List<ParkedSequence> findSequences(Collection<SequenceId> ids) {
        return read("reading parked sequences", () -> SequenceRows.find(connection, dialect, ids));
    }

    @Override
    public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return read(
                "reading letters of " + sequence.component(),
                () -> LetterRows.find(connection, sequence, fromNumber, limit));
    }

    @Override
    public Optional<DeadLetter> findLetter(String component, UUID event) {
        return read("reading a letter of " + component, () -> LetterRows.find(connection, component, event));
    }

    @Override
    public void write(LetterWrites letters, Map<String, QueueCounts> queues) throws SQLException {
        LetterRows.delete(connection, dialect, letters.removed());
        LetterRows.insert(connection, dialect, letters.added());
        LetterRows.update(connection, dialect, letters.replaced());
        SequenceRows.delete(connection, dialect, letters.removedSequences());
        SequenceRows.upsert(connection, dialect, letters.sequences());
        QueueRows.write(connection, dialect, queues);
    }

    private static <T> T read(String what, Read<T> read) {
        try {
            return read.run();
        } catch (SQLException e) {
            throw SqlErrors.of(what, e);
        }
    }

    /** A query that may fail. */
    private interface Read<T> {
        T run() throws SQLException;
    }
}

package io.holdfast.jdbc;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import java.util.List;
import java.util.Optional;

/** Letters and their sequences, read as they are committed. */
final class JdbcDeadLetterStore implements DeadLetterStore {

    private final Database database;

    JdbcDeadLetterStore(Database database) {
        this.database = database;
    }

    @Override
    public List<ParkedSequence> findSequences(String consumer, int number, int mask) {
        String condition =
                "consumer = ? and " + database.dialect().masked("hash") + " = ? order by component, sequence";
        return database.read(
                "reading the parked sequences of " + consumer,
                connection -> SequenceRows.find(connection, condition, query -> {
                    query.setString(1, consumer);
                    query.setInt(2, mask);
                    query.setInt(3, number);
                }));
    }

    @Override
    public Optional<ParkedSequence> find(SequenceId sequence) {
        return database.read(
                "reading a parked sequence of " + sequence.component(), connection -> SequenceRows.find(
                                connection,
                                "component = ? and sequence = ?",
                                query -> SequenceRows.set(query, 1, sequence))
                        .stream()
                        .findFirst());
    }

    @Override
    public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return database.read(
                "reading letters of " + sequence.component(),
                connection -> LetterRows.find(connection, sequence, fromNumber, limit));
    }
}

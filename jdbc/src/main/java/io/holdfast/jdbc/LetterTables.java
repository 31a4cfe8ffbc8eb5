package io.holdfast.jdbc;

import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.QueueCounts;
import java.sql.SQLException;
import java.util.Map;

/** The tables of letters, sequences and queues in one transaction. Not thread-safe. */
public interface LetterTables extends LetterReads {

    /**
     * Writes letters. Removals come first: a removed event may be parked again, and its number reused.
     *
     * @param letters the merged writes of all units of the transaction, each letter and sequence once; limits are not
     *     checked
     * @param queues the new counts of the queues that change
     * @throws SQLException with SQL state 23505 if the component has already parked one of the added events
     */
    void write(LetterWrites letters, Map<String, QueueCounts> queues) throws SQLException;
}

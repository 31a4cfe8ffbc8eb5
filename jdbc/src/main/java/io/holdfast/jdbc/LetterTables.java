package io.holdfast.jdbc;

import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.QueueCounts;
import java.sql.SQLException;
import java.util.Map;

/** The tables of letters, sequences and queues in one transaction. One thread. */
public interface LetterTables extends LetterReads {

    /**
     * Writes letters. What leaves goes first: its event may be parked again, and its number taken.
     *
     * @param letters what all units of the transaction together make of them, each letter and sequence once; limits aside
     * @param queues the counts of the queues that are changed, as they are afterwards
     * @throws SQLException with SQL state 23505 if one of the added events is parked already by its component
     */
    void write(LetterWrites letters, Map<String, QueueCounts> queues) throws SQLException;
}

package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueLedger;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes letters concurrently with the owner of their segment, in a transaction that has locked the head. Tokens are
 * locked after the head, as units do, and in the common order.
 */
final class LetterChangeTransaction {

    private final Connection connection;
    private final LetterTables letters;
    private final Dialect dialect;

    LetterChangeTransaction(JoinedTransaction transaction, Dialect dialect) {
        this.connection = transaction.connection();
        this.letters = transaction.letters();
        this.dialect = dialect;
    }

    /** @return the ledger that has accepted the writes */
    QueueLedger check(LetterWrites writes) throws SQLException {
        Set<ParkedEvent> parked = new HashSet<>(LetterConflicts.parked(
                connection,
                dialect,
                writes.added().stream().map(ParkedEvent::of).toList()));
        for (DeadLetter letter : writes.added()) {
            ParkedEvent event = ParkedEvent.of(letter);
            if (!parked.add(event)) {
                throw new PermanentException(LetterConflicts.message(event));
            }
        }
        QueueLedger ledger = new QueueLedger(CommittedQueues.load(connection, dialect, List.of(writes)));
        ledger.apply(writes).ifPresent(overflow -> {
            throw overflow;
        });
        return ledger;
    }

    void write(String consumer, LetterWrites writes, QueueLedger ledger) throws SQLException {
        Set<Integer> hashes = Stream.concat(
                        SequenceRows.find(connection, dialect, writes.touched()).stream(), writes.sequences().stream())
                .map(ParkedSequence::hash)
                .collect(Collectors.toSet());
        raiseVersions(connection, dialect, consumer, hashes);
        try {
            letters.write(MergedLetterWrites.of(writes).merged(), ledger.changedCounts());
            CauseGroupRows.write(connection, dialect, ledger.changedGroups());
            OutcomeRows.write(connection, dialect, writes, null);
        } catch (SQLException e) {
            if (SqlErrors.isUniqueViolation(e)) {
                throw new PermanentException(LetterConflicts.LETTER_EXISTS, e);
            }
            throw e;
        }
    }

    /**
     * Raises the versions of the segments of these sequences. Locks all segments, so that none is split off meanwhile
     * with its old version.
     */
    static void raiseVersions(Connection connection, Dialect dialect, String consumer, Set<Integer> hashes)
            throws SQLException {
        TokenRows rows = new TokenRows(connection, dialect);
        List<Token> raised = rows.lockAll(consumer).stream()
                .map(ClaimedToken::token)
                .filter(token -> hashes.stream()
                        .anyMatch(hash -> Segments.covers(
                                hash, token.segment().number(), token.setup().mask())))
                .map(token -> token.withSetup(token.setup()))
                .toList();
        rows.update(raised);
    }
}

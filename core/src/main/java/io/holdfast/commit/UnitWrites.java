package io.holdfast.commit;

import io.holdfast.action.Settlement;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.Snapshot;
import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one decided unit.
 *
 * @param settlements the outcomes of the operations that the unit carries out; it is rejected if one of their items is
 *     settled
 */
public record UnitWrites(
        List<EventDraft> events,
        List<RowWrite> rows,
        List<Snapshot> snapshots,
        Optional<TokenAdvance> tokenAdvance,
        LetterWrites letters,
        List<Settlement> settlements) {

    public UnitWrites {
        events = List.copyOf(events);
        rows = List.copyOf(rows);
        snapshots = List.copyOf(snapshots);
        settlements = List.copyOf(settlements);
    }

    /** Creates writes without settlements. */
    public UnitWrites(
            List<EventDraft> events,
            List<RowWrite> rows,
            List<Snapshot> snapshots,
            Optional<TokenAdvance> advance,
            LetterWrites letters) {
        this(events, rows, snapshots, advance, letters, List.of());
    }

    /** Creates writes without letters. */
    public UnitWrites(
            List<EventDraft> events, List<RowWrite> rows, List<Snapshot> snapshots, Optional<TokenAdvance> advance) {
        this(events, rows, snapshots, advance, LetterWrites.NONE);
    }

    public UnitWrites withSettlements(List<Settlement> newSettlements) {
        return new UnitWrites(events, rows, snapshots, tokenAdvance, letters, newSettlements);
    }

    public boolean isEmpty() {
        return events.isEmpty()
                && rows.isEmpty()
                && snapshots.isEmpty()
                && tokenAdvance.isEmpty()
                && letters.isEmpty()
                && settlements.isEmpty();
    }

    /** Returns the replica that commits the unit, if it advances a token, as every unit with letters does. */
    public @Nullable String replica() {
        return tokenAdvance.map(advance -> advance.claim().owner()).orElse(null);
    }
}

package io.holdfast.commit;

import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.Snapshot;
import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.Optional;

/** The writes of one decided unit. */
public record UnitWrites(
        List<EventDraft> events,
        List<RowWrite> rows,
        List<Snapshot> snapshots,
        Optional<TokenAdvance> tokenAdvance,
        LetterWrites letters) {

    public UnitWrites {
        events = List.copyOf(events);
        rows = List.copyOf(rows);
        snapshots = List.copyOf(snapshots);
    }

    /** Creates writes without letters. */
    public UnitWrites(
            List<EventDraft> events, List<RowWrite> rows, List<Snapshot> snapshots, Optional<TokenAdvance> advance) {
        this(events, rows, snapshots, advance, LetterWrites.NONE);
    }

    public boolean isEmpty() {
        return events.isEmpty() && rows.isEmpty() && snapshots.isEmpty() && tokenAdvance.isEmpty() && letters.isEmpty();
    }
}

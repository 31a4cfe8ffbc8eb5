package io.holdfast.commit;

import io.holdfast.event.Snapshot;
import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.Optional;

/** What one decided unit writes. */
public record UnitWrites(
        List<EventDraft> events, List<RowWrite> rows, List<Snapshot> snapshots, Optional<TokenAdvance> tokenAdvance) {

    public UnitWrites {
        events = List.copyOf(events);
        rows = List.copyOf(rows);
        snapshots = List.copyOf(snapshots);
    }

    boolean isEmpty() {
        return events.isEmpty() && rows.isEmpty() && snapshots.isEmpty() && tokenAdvance.isEmpty();
    }
}

package io.holdfast.commit.group;

import io.holdfast.aggregate.Decision;
import io.holdfast.event.Metadata;
import java.util.List;

/**
 * The effects of one component's handling of one event or command, all or nothing.
 *
 * @param context the metadata that the events of this part inherit: correlation, saga, trace
 * @param repeatable whether its events may exist already (a keyed command, a replay, a reset, an unknown outcome). If
 *     so, the first event id is looked up before anything is decided. If it exists, the part is done, except for its
 *     row updates {@linkplain CommitUnit#asAfterReset after a reset}.
 */
public record Part(
        PartId id, Metadata context, List<Decision> decisions, List<RowUpdate<?>> rowUpdates, boolean repeatable) {

    public Part {
        decisions = List.copyOf(decisions);
        rowUpdates = List.copyOf(rowUpdates);
    }

    public static Part of(PartId id, Metadata context, Decision decision) {
        return new Part(id, context, List.of(decision), List.of(), false);
    }

    /** Returns the same part, to be looked up before it is decided. */
    public Part asRepeatable() {
        return repeatable ? this : new Part(id, context, decisions, rowUpdates, true);
    }

    /** Returns whether the part has no effects. */
    public boolean isEmpty() {
        return decisions.isEmpty() && rowUpdates.isEmpty();
    }
}

package io.holdfast.deadline.firing;

import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.deadline.Deadline;
import io.holdfast.deadline.Deadlines;
import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/** A decision over a deadline. It does nothing if the deadline has ended or was replaced since it was read. */
final class DeadlineDecision implements Decision {

    private final Deadline read;
    private final String rowKey;
    private final BiConsumer<DecisionContext, Deadline> decide;

    DeadlineDecision(Deadline read, BiConsumer<DecisionContext, Deadline> decide) {
        this.read = read;
        this.rowKey = Deadlines.rowKey(read.name(), read.key());
        this.decide = decide;
    }

    @Override
    public void decide(DecisionContext context) {
        Deadline newest = context.row(Deadlines.VIEW, rowKey);
        if (newest != null && newest.isScheduled() && newest.id().equals(read.id())) {
            decide.accept(context, newest);
        }
    }

    @Override
    public Collection<RowKey> rows() {
        return List.of(new RowKey(Deadlines.VIEW.name(), rowKey));
    }
}

package io.holdfast.commit.group;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.commit.EventDraft;
import io.holdfast.event.Metadata;
import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.List;

/**
 * Sees every event that a decision appends. It completes the event's metadata and can put rows in the same unit. Like a
 * decision it is pure, runs on the committer's thread, and may run again. If it throws, the decision is rejected.
 */
public interface AppendInterceptor {

    /** Changes nothing. */
    AppendInterceptor NONE = new AppendInterceptor() {

        @Override
        public Collection<RowKey> rows(Metadata context) {
            return List.of();
        }

        @Override
        public Metadata complete(String eventType, Metadata metadata) {
            return metadata;
        }

        @Override
        public void appended(EventDraft event, DecisionContext decision) {}
    };

    /**
     * Returns the rows that {@link #appended} will probably read for a part. They are loaded together with those of the
     * other parts; any other row costs a query of its own.
     *
     * @param context the metadata that the events of the part inherit
     */
    Collection<RowKey> rows(Metadata context);

    /** Returns the metadata with which the event is stored. */
    Metadata complete(String eventType, Metadata metadata);

    /** Called after the event has been appended. */
    void appended(EventDraft event, DecisionContext decision);
}

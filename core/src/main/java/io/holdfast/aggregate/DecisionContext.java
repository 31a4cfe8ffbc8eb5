package io.holdfast.aggregate;

import io.holdfast.event.Metadata;
import java.time.Instant;

/**
 * What a {@link Decision} sees and says. Valid only while the decision runs, on the thread that runs it.
 */
public interface DecisionContext {

    /** The newest state of a key, with what this decision has appended so far; the initial state if it has no events. */
    <S> S state(AggregateType<S> type, String key);

    /** The sequence of the newest event of a key, with what this decision has appended so far; 0 if it has none. */
    long version(AggregateType<?> type, String key);

    /** Says that something happened to a key. */
    default <S> void append(AggregateType<S> type, String key, Object event) {
        append(type, key, event, Metadata.none());
    }

    /**
     * Says that something happened to a key.
     *
     * @param metadata the event's own; cause, correlation and saga are filled in where they are not set
     */
    <S> void append(AggregateType<S> type, String key, Object event, Metadata metadata);

    /** The time that the events of this decision will carry. */
    Instant now();
}

package io.holdfast.aggregate;

import io.holdfast.event.Metadata;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives a {@link Decision} its state and collects its events. Valid only while the decision runs, on its thread. */
public interface DecisionContext {

    /**
     * Returns the newest state of a key, including what this decision has appended; the initial state if it has no
     * events.
     */
    <S> S state(AggregateType<S> type, String key);

    /**
     * Returns the version of a key's newest event, including what this decision has appended; 0 if it has no events.
     */
    long version(AggregateType<?> type, String key);

    /**
     * Appends an event to a key.
     *
     * @return the id of the event
     */
    default <S> UUID append(AggregateType<S> type, String key, Object event) {
        return append(type, key, event, Metadata.none());
    }

    /**
     * Appends an event to a key.
     *
     * @param metadata the event's own; cause, correlation and saga are inherited unless they are set
     * @return the id of the event
     */
    <S> UUID append(AggregateType<S> type, String key, Object event, Metadata metadata);

    /** Returns the newest row of a view, including what this decision has put; null if it does not exist. */
    <R> @Nullable R row(View<R> view, String key);

    /**
     * Writes a row of a view. It is committed together with the events of the decision. A decision that writes rows and
     * appends no event leaves no trace by which a repeated command is recognized, and runs again.
     *
     * @param row null to remove it
     */
    <R> void put(View<R> view, String key, @Nullable R row);

    /** Schedules an event, see {@link #schedule(String, String, Instant, Object)}. */
    void schedule(String name, String key, Duration delay, Object event);

    /**
     * Schedules an event: when the deadline is due, it is appended to the stream {@code <service>.deadlines} under this
     * key, exactly once. The name and the key identify the deadline; a scheduled one is replaced. The schedule commits
     * together with the decision. The event inherits what the events of this decision inherit.
     *
     * @param name what the deadline is for, without a slash
     */
    void schedule(String name, String key, Instant dueAt, Object event);

    /** Cancels a deadline. Does nothing if none is scheduled. */
    void cancel(String name, String key);

    /** Returns the timestamp of this decision's events. */
    Instant now();
}

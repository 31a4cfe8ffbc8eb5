package io.holdfast.deadline;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The deadlines that the decisions of one part schedule and cancel, as rows of {@link Deadlines#VIEW}. For the
 * committer; decisions use {@link DecisionContext}. Not thread-safe.
 */
public final class ScheduledDeadlines {

    private static final String ID_SUFFIX = "#deadline";
    /** Every store can represent the times between these. */
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private final UUID cause;
    private final String component;
    private final Metadata inherited;
    private final PayloadCodec codec;
    private final Instant now;
    private final DecisionContext rows;
    private int scheduled;

    /**
     * @param cause the id of the event or command that is handled
     * @param component the id of the component that handles it
     * @param inherited the metadata of the scheduled events
     * @param now the time on the deadline clock
     * @param rows reads and writes the rows
     */
    public ScheduledDeadlines(
            UUID cause, String component, Metadata inherited, PayloadCodec codec, Instant now, DecisionContext rows) {
        this.cause = cause;
        this.component = component;
        this.inherited = inherited;
        this.codec = codec;
        this.now = now;
        this.rows = rows;
    }

    public void schedule(String name, String key, Duration delay, Object event) {
        schedule(name, key, dueAfter(name, key, delay), event);
    }

    private Instant dueAfter(String name, String key, Duration delay) {
        try {
            return now.plus(delay);
        } catch (DateTimeException | ArithmeticException e) {
            throw new PermanentException(
                    "deadline " + name + "/" + key + " cannot be scheduled: the delay " + delay + " is too long", e);
        }
    }

    /**
     * Schedules an event. The id of the deadline is derived from the cause, like that of an event. Handling
     * the same cause again, for example a command repeated with its key, does not change the deadline.
     */
    public void schedule(String name, String key, Instant dueAt, Object event) {
        String rowKey = Deadlines.rowKey(name, key);
        UUID id = EventIds.derive(cause, component + ID_SUFFIX, scheduled++);
        Deadline before = rows.row(Deadlines.VIEW, rowKey);
        if (before != null && before.id().equals(id)) {
            return;
        }
        try {
            requireStorable(dueAt);
            Deadline deadline = Deadline.of(id, name, key, dueAt, codec.encode(event), inherited);
            rows.put(Deadlines.VIEW, rowKey, deadline);
        } catch (PermanentException e) {
            throw new PermanentException("deadline " + rowKey + " cannot be scheduled: " + e.getMessage(), e);
        }
    }

    private static void requireStorable(Instant dueAt) {
        if (dueAt.isBefore(FIRST) || dueAt.isAfter(LAST)) {
            throw new PermanentException("it must be due between " + FIRST + " and " + LAST + ", but is at " + dueAt);
        }
    }

    public void cancel(String name, String key) {
        String rowKey = Deadlines.rowKey(name, key);
        Deadline deadline = rows.row(Deadlines.VIEW, rowKey);
        if (deadline != null && deadline.isScheduled()) {
            rows.put(Deadlines.VIEW, rowKey, deadline.ended(now));
        }
    }
}

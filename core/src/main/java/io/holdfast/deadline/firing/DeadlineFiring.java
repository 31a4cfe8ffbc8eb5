package io.holdfast.deadline.firing;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Committer;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadline.Deadline;
import io.holdfast.deadline.Deadlines;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.view.Row;
import io.holdfast.view.ViewStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the events of deadlines that are due. A firing is a decision over the deadline's row: it appends the event and
 * ends the row in one commit. If the row was replaced, cancelled or fired meanwhile, it does nothing.
 *
 * <p>A deadline that cannot fire does not delay the others. It is skipped for a while and then retried.
 */
public final class DeadlineFiring implements DueTask {

    private static final Logger log = LoggerFactory.getLogger(DeadlineFiring.class);
    private static final int BATCH = 200;
    /** After a failure of the store, which will pass. */
    private static final Duration STORE_RETRY_DELAY = Duration.ofSeconds(1);
    /** After a failure of one deadline, which will probably happen again. */
    private static final Duration RETRY_DELAY = Duration.ofMinutes(1);

    private final String component;
    private final AggregateType<NoState> type;
    private final ViewStore views;
    private final PayloadCodec codec;
    private final PendingUnits pending;
    private final SkippedRows skipped = new SkippedRows();

    /** @param wake runs the task again */
    public DeadlineFiring(String service, ViewStore views, Committer committer, PayloadCodec codec, Runnable wake) {
        this.component = service + "/deadlines";
        this.type = AggregateType.of(Deadlines.stream(service), NoState.class, new NoState())
                .ignoringAll()
                .build();
        this.views = views;
        this.codec = codec;
        this.pending = new PendingUnits(committer, wake);
    }

    /** @throws UnsupportedHereException if only another version can fire a deadline; the others are fired first */
    @Override
    public Optional<Instant> run(Instant now) {
        pending.complete((rowKey, failure) -> completed(rowKey, failure, now));
        skipped.expire(now);
        int limit = BATCH + skipped.size();
        List<Row> due = views.findDue(Deadlines.VIEW.name(), now, limit);
        List<Row> ended = new ArrayList<>();
        UnsupportedHereException unsupported = null;
        for (Row row : due) {
            try {
                fireOrCollect(row, now, ended);
            } catch (UnsupportedHereException e) {
                skipped.skip(row.key().key(), now.plus(RETRY_DELAY));
                unsupported = e;
            }
        }
        int purged = views.purge(ended);
        if (unsupported != null) {
            throw unsupported;
        }
        return due.size() == limit && purged > 0 ? Optional.of(now) : findNext(now);
    }

    /** Returns when the next row is due; empty while rows that are due already are pending or skipped. */
    private Optional<Instant> findNext(Instant now) {
        if (!pending.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> next = views.findNextDue(Deadlines.VIEW.name());
        return next.filter(time -> skipped.size() == 0 || time.isAfter(now));
    }

    /** @param ended receives the rows of ended deadlines, which are to be purged */
    private void fireOrCollect(Row row, Instant now, List<Row> ended) {
        String rowKey = row.key().key();
        if (pending.contains(rowKey) || skipped.contains(rowKey)) {
            return;
        }
        try {
            Deadline deadline = decode(row);
            if (deadline.isScheduled()) {
                fire(deadline, now);
            } else {
                ended.add(row);
            }
        } catch (PermanentException e) {
            log.error("Deadline {} cannot be read, retrying in {}: {}", rowKey, RETRY_DELAY, e.getMessage());
            skipped.skip(rowKey, now.plus(RETRY_DELAY));
        }
    }

    private Deadline decode(Row row) {
        Payload value = Objects.requireNonNull(row.value());
        codec.requireKnownRevision(value, Deadline.class, "row " + row.key());
        return codec.decode(value, Deadline.class);
    }

    /**
     * Ends the row in a part of its own. If an earlier run has appended the event, that part is a duplicate and does not
     * run, but the row must end. This happens after a reset, which may schedule a deadline again that fired long ago.
     */
    private void fire(Deadline deadline, Instant now) {
        String rowKey = Deadlines.rowKey(deadline.name(), deadline.key());
        Metadata inherited = Metadata.of(deadline.metadata());
        Decision appending =
                new DeadlineDecision(deadline, (context, newest) -> context.append(type, newest.key(), newest.event()));
        Decision ending = new DeadlineDecision(
                deadline, (context, newest) -> context.put(Deadlines.VIEW, rowKey, newest.ended(now)));
        Part event = Part.of(new PartId(deadline.id(), component), inherited, appending);
        Part end = Part.of(new PartId(deadline.id(), component + "/end"), inherited, ending);
        pending.submit(rowKey, CommitUnit.of(List.of(event, end)));
    }

    private void completed(String rowKey, @Nullable Throwable failure, Instant now) {
        if (failure == null) {
            skipped.remove(rowKey);
        } else if (failure instanceof RetryableException) {
            log.debug("Deadline {} did not fire, retrying in {}", rowKey, STORE_RETRY_DELAY, failure);
            skipped.skip(rowKey, now.plus(STORE_RETRY_DELAY));
        } else if (!skipped.contains(rowKey)) {
            log.error("Deadline {} cannot fire, retrying in {}: {}", rowKey, RETRY_DELAY, failure.toString());
            skipped.skip(rowKey, now.plus(RETRY_DELAY)); // for the case that the row cannot be postponed either
            postpone(rowKey, now);
        }
    }

    /** Moves the row back in the index, so that it does not fill the batches. */
    private void postpone(String rowKey, Instant now) {
        Decision postponing = context -> {
            Deadline newest = context.row(Deadlines.VIEW, rowKey);
            if (newest != null && newest.isScheduled() && !newest.dueAt().isAfter(now)) {
                context.put(Deadlines.VIEW, rowKey, newest.retryingAt(now.plus(RETRY_DELAY)));
            }
        };
        PartId id = new PartId(EventIds.random(now), component);
        pending.submit(rowKey, CommitUnit.of(Part.of(id, Metadata.none(), postponing)));
    }

    /** The state of a key in the stream of deadlines: none. */
    record NoState() {}
}

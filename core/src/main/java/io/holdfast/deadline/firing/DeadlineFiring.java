package io.holdfast.deadline.firing;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Committer;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.deadline.Deadline;
import io.holdfast.deadline.Deadlines;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the events of deadlines that are due. A firing is a decision over the deadline's row: it appends the event and
 * ends the row in one commit. If the row was replaced, cancelled or fired meanwhile, it does nothing.
 */
public final class DeadlineFiring implements DueTask {

    private static final Logger log = LoggerFactory.getLogger(DeadlineFiring.class);
    private static final int BATCH = 200;
    private static final Duration RETRY_DELAY = Duration.ofMinutes(1);

    private final String component;
    private final AggregateType<NoState> type;
    private final ViewStore views;
    private final PayloadCodec codec;
    private final PendingUnits pending;

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

    @Override
    public Optional<Instant> run(Instant now) {
        pending.complete((rowKey, failure) -> retryLater(rowKey, failure, now));
        List<Row> due = views.findDue(Deadlines.VIEW.name(), now, BATCH);
        List<Row> ended = new ArrayList<>();
        for (Row row : due) {
            Deadline deadline = codec.decode(Objects.requireNonNull(row.value()), Deadline.class);
            if (!deadline.isScheduled()) {
                ended.add(row);
            } else if (!pending.contains(row.key().key())) {
                fire(deadline, now);
            }
        }
        boolean purged = views.purge(ended) > 0;
        if (due.size() == BATCH && purged) {
            return Optional.of(now);
        }
        return pending.isEmpty() ? views.findNextDue(Deadlines.VIEW.name()) : Optional.empty();
    }

    private void fire(Deadline deadline, Instant now) {
        Decision firing = over(deadline, (context, newest) -> {
            context.append(type, newest.key(), newest.event());
            context.put(Deadlines.VIEW, rowKey(newest), newest.ended(now));
        });
        Part part = Part.of(new PartId(deadline.id(), component), Metadata.of(deadline.metadata()), firing);
        pending.submit(rowKey(deadline), CommitUnit.of(part));
    }

    /** Moves a deadline back that cannot fire, so that it does not delay others. */
    private void retryLater(String rowKey, @Nullable Throwable failure, Instant now) {
        if (failure == null || failure instanceof RetryableException) {
            return; // it fired, or the next run tries again
        }
        log.error("Deadline {} cannot fire, retrying in {}: {}", rowKey, RETRY_DELAY, failure.toString());
        UUID id = EventIds.random(now);
        Decision postponing = context -> {
            Deadline newest = context.row(Deadlines.VIEW, rowKey);
            if (newest != null && newest.isScheduled()) {
                context.put(Deadlines.VIEW, rowKey, newest.retryingAt(now.plus(RETRY_DELAY)));
            }
        };
        pending.submit(rowKey, CommitUnit.of(Part.of(new PartId(id, component), Metadata.none(), postponing)));
    }

    private static String rowKey(Deadline deadline) {
        return Deadlines.rowKey(deadline.name(), deadline.key());
    }

    /** Returns a decision over a deadline, which does nothing unless that is still scheduled. */
    private static Decision over(Deadline deadline, BiConsumer<DecisionContext, Deadline> decide) {
        return new Decision() {
            @Override
            public void decide(DecisionContext context) {
                Deadline newest = context.row(Deadlines.VIEW, rowKey(deadline));
                if (newest != null && newest.isScheduled() && newest.id().equals(deadline.id())) {
                    decide.accept(context, newest);
                }
            }

            @Override
            public Collection<RowKey> rows() {
                return List.of(new RowKey(Deadlines.VIEW.name(), rowKey(deadline)));
            }
        };
    }

    /** The state of a key in the stream of deadlines: none. */
    record NoState() {}
}

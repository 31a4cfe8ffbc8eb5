package io.holdfast.commit;

import io.holdfast.aggregate.AggregateSnapshots;
import io.holdfast.aggregate.AggregateState;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.commit.DecidedBatch.DecidedPart;
import io.holdfast.commit.DecidedBatch.DecidedUnit;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import io.holdfast.view.RowUpdate;
import io.holdfast.view.ViewStore;
import io.holdfast.worker.UserFailures;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs the decisions of waiting units in order, each on the state that the previous ones produce. Writes nothing. */
final class BatchDecider {

    private final CommitterSettings settings;
    private final AggregateStates states;
    private final ViewStore views;
    private final EarlierRuns earlierRuns;
    private final PayloadCodec codec;
    private final Clock clock;
    private final CommitterCounters counters;

    BatchDecider(
            CommitterSettings settings,
            EventLog log,
            AggregateStates states,
            ViewStore views,
            PayloadCodec codec,
            Clock clock,
            CommitterCounters counters) {
        this.settings = settings;
        this.states = states;
        this.views = views;
        this.earlierRuns = new EarlierRuns(log);
        this.codec = codec;
        this.clock = clock;
        this.counters = counters;
    }

    /** @param newest whether cached states are brought up to date first, which is useful only under the head lock */
    DecidedBatch decide(List<CommitUnit> units, boolean newest) {
        return new Run(units, newest).decide();
    }

    /** A single pass over one batch. */
    private final class Run {

        private final List<CommitUnit> units;
        private final CommittedLayer committed;
        private final Overlay batch;
        private final Map<PartId, List<EventMessage>> earlier;
        private final Map<PartId, List<UUID>> inThisBatch = new HashMap<>();
        private final Instant now = clock.instant();

        Run(List<CommitUnit> units, boolean newest) {
            this.units = units;
            this.committed = new CommittedLayer(states, views, codec, newest);
            this.batch = new Overlay(committed);
            this.earlier = earlierRuns.find(units);
        }

        DecidedBatch decide() {
            committed.load(units.stream()
                    .flatMap(unit -> unit.parts().stream())
                    .flatMap(part -> part.rowUpdates().stream())
                    .map(RowUpdate::rowKey)
                    .distinct()
                    .toList());
            List<DecidedUnit> decided = units.stream().map(this::decide).toList();
            return new DecidedBatch(
                    decided, committed.versions(), List.copyOf(batch.states().values()));
        }

        private DecidedUnit decide(CommitUnit unit) {
            Overlay overlay = new Overlay(batch);
            List<DecidedPart> parts = new ArrayList<>();
            List<EventDraft> events = new ArrayList<>();
            Map<PartId, Throwable> failures = new LinkedHashMap<>();
            for (Part part : unit.parts()) {
                DecidedPart duplicate = decidedBefore(part.id());
                if (duplicate != null) {
                    parts.add(duplicate);
                    continue;
                }
                PartDecider decider = new PartDecider(part, settings, codec, now, overlay);
                Throwable failure = run(decider);
                if (failure != null) {
                    failures.put(part.id(), failure);
                    continue;
                }
                decider.overlay().mergeInto(overlay);
                events.addAll(decider.drafts());
                parts.add(new DecidedPart(part.id(), ids(decider.drafts()), List.of(), false));
            }
            if (!failures.isEmpty()) {
                return new DecidedUnit(parts, noWrites(), failures);
            }
            parts.forEach(part -> inThisBatch.putIfAbsent(part.id(), part.eventIds()));
            overlay.raiseRowVersions();
            UnitWrites writes =
                    new UnitWrites(events, rows(overlay), snapshots(overlay), unit.tokenAdvance(), unit.letters());
            overlay.mergeInto(batch);
            return new DecidedUnit(parts, writes, Map.of());
        }

        /** Returns the part's earlier run. It may have been committed long ago, or wait in the same batch. */
        private @Nullable DecidedPart decidedBefore(PartId id) {
            List<EventMessage> stored = earlier.get(id);
            if (stored != null) {
                return new DecidedPart(id, List.of(), stored, true);
            }
            List<UUID> first = inThisBatch.get(id);
            return first == null || first.isEmpty() ? null : new DecidedPart(id, first, List.of(), true);
        }

        private @Nullable Throwable run(PartDecider decider) {
            counters.decided();
            try {
                decider.run();
                committed.throwFailure();
                return null;
            } catch (Throwable e) {
                Throwable failure = UserFailures.throwIfFatal(e);
                committed.throwFailure();
                return failure;
            }
        }

        private List<RowWrite> rows(Overlay overlay) {
            List<RowWrite> rows = new ArrayList<>();
            overlay.rows().forEach((key, row) -> rows.add(new RowWrite(key, row.version(), row.encoded())));
            return rows;
        }

        private List<Snapshot> snapshots(Overlay overlay) {
            return overlay.states().values().stream()
                    .flatMap(state -> snapshot(state).stream())
                    .toList();
        }

        private <S> Optional<Snapshot> snapshot(AggregateState<S> reached) {
            long from = batch.state(reached.type(), reached.key()).version();
            return AggregateSnapshots.due(from, reached, codec);
        }
    }

    private static List<UUID> ids(List<EventDraft> drafts) {
        return drafts.stream().map(EventDraft::id).toList();
    }

    private static UnitWrites noWrites() {
        return new UnitWrites(List.of(), List.of(), List.of(), Optional.empty());
    }
}

package io.holdfast.commit.group;

import io.holdfast.UserFailures;
import io.holdfast.aggregate.state.AggregateSnapshots;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.RowWrite;
import io.holdfast.commit.UnitWrites;
import io.holdfast.commit.group.DecidedBatch.DecidedPart;
import io.holdfast.commit.group.DecidedBatch.DecidedUnit;
import io.holdfast.commit.group.PartDecider.DecisionTimes;
import io.holdfast.commit.group.RowListeners.CommittedChange;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventReader;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import io.holdfast.failover.witness.LogWitness;
import io.holdfast.failover.witness.WitnessedReader;
import io.holdfast.view.RowKey;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the decisions of waiting units in order, each on the state that the previous ones produce. Writes nothing. */
final class BatchDecider {

    private final CommitterSettings settings;
    private final AggregateStates states;
    private final PayloadCodec codec;
    private final Clock clock;
    private final LogWitness witness;
    private final CommitterCounters counters;
    private final RowListeners rowListeners;
    private final CommittedLayer.RecentRows recentRows;
    private volatile AppendInterceptor interceptor = AppendInterceptor.NONE;
    private volatile Supplier<Instant> deadlineTime;

    BatchDecider(
            CommitterSettings settings,
            AggregateStates states,
            PayloadCodec codec,
            Clock clock,
            LogWitness witness,
            CommitterCounters counters,
            RowListeners rowListeners) {
        this.settings = settings;
        this.states = states;
        this.codec = codec;
        this.clock = clock;
        this.witness = witness;
        this.counters = counters;
        this.rowListeners = rowListeners;
        this.recentRows = new CommittedLayer.RecentRows();
        this.deadlineTime = clock::instant;
    }

    void deadlineTime(Supplier<Instant> time) {
        this.deadlineTime = time;
    }

    void intercept(AppendInterceptor appends) {
        this.interceptor = appends;
    }

    /** Decides all units on cached states, which may be behind another replica. */
    DecidedBatch decide(List<CommitUnit> units, CommitSession session) {
        EventReader reader = new WitnessedReader(session, witness);
        CommittedLayer committed = new CommittedLayer(states, codec, session, reader, recentRows);
        committed.load(units.stream()
                .flatMap(unit -> unit.parts().stream())
                .flatMap(this::rows)
                .distinct()
                .toList());
        states.prefetch(
                units.stream()
                        .flatMap(unit -> unit.parts().stream())
                        .flatMap(part -> part.decisions().stream())
                        .flatMap(decision -> decision.keys().stream())
                        .toList(),
                reader);
        Map<PartId, List<EventMessage>> earlier = EarlierRuns.find(units, session);
        if (units.size() > 1) {
            committed.assumeNewKeys();
        }
        DecidedBatch decided = new Run(committed, earlier).decide(units);
        ReadVersions wrong = committed.loadAssumed();
        return wrong.isEmpty() ? decided : new Run(committed, earlier).decideAgain(decided, units, wrong);
    }

    /** Keeps what a committed batch has written for the next batches. */
    void committed(DecidedBatch batch) {
        states.cache(batch.states());
        recentRows.add(batch);
    }

    /** Forgets what has changed in the store. */
    void invalidate(ReadVersions changed) {
        states.invalidate(changed.keys().keySet());
        recentRows.removeAll(changed.rows().keySet());
    }

    /** Forgets everything, because the store has lost commits. */
    void invalidateAll() {
        states.invalidateAll();
        recentRows.clear();
    }

    /** Returns the rows that a part changes, or probably reads. */
    private Stream<RowKey> rows(Part part) {
        Stream<RowKey> updated = part.rowUpdates().stream().map(RowUpdate::rowKey);
        if (part.decisions().isEmpty()) {
            return updated;
        }
        Stream<RowKey> read = part.decisions().stream().flatMap(decision -> decision.rows().stream());
        return Stream.of(updated, read, interceptor.rows(part.context()).stream())
                .flatMap(rows -> rows);
    }

    /**
     * Makes a batch current under the head lock. Decides the units again that have read what has changed, and those
     * that depend on one of them. All other decisions stay.
     *
     * @param changed the versions that the batch has read and that are no longer the committed ones
     */
    DecidedBatch update(DecidedBatch batch, List<CommitUnit> units, ReadVersions changed, CommitSession session) {
        if (changed.isEmpty() && !mayHaveRunMeanwhile(batch, units)) {
            return batch;
        }
        CommittedLayer committed = batch.committed().underHeadLock(changed);
        return new Run(committed, EarlierRuns.find(units, session)).decideAgain(batch, units, changed);
    }

    /**
     * Returns whether a part has decided nothing, or rejected, because it has seen its own earlier run. The lookup may
     * have been too early to find that run.
     */
    private static boolean mayHaveRunMeanwhile(DecidedBatch batch, List<CommitUnit> units) {
        return IntStream.range(0, units.size()).anyMatch(unit -> units.get(unit).parts().stream()
                .anyMatch(part -> part.repeatable()
                        && !part.decisions().isEmpty()
                        && !batch.units().get(unit).hasEvents(part.id())));
    }

    /** A single pass over one batch. */
    private final class Run {

        private final CommittedLayer committed;
        private final Overlay batch;
        private final Map<PartId, List<EventMessage>> earlier;
        private final Map<PartId, List<UUID>> inThisBatch = new HashMap<>();
        private final DecisionTimes times = new DecisionTimes(clock.instant(), deadlineTime.get());

        Run(CommittedLayer committed, Map<PartId, List<EventMessage>> earlier) {
            this.committed = committed;
            this.batch = new Overlay(committed);
            this.earlier = earlier;
        }

        DecidedBatch decide(List<CommitUnit> units) {
            return decided(units.stream().map(this::decide).toList());
        }

        DecidedBatch decideAgain(DecidedBatch before, List<CommitUnit> units, ReadVersions changed) {
            TouchedKeys outdated = new TouchedKeys();
            outdated.addAll(changed);
            List<DecidedUnit> current = new ArrayList<>();
            for (int i = 0; i < units.size(); i++) {
                DecidedUnit known = before.units().get(i);
                if (isCurrent(known, units.get(i), outdated)) {
                    accept(known);
                    current.add(known);
                } else {
                    DecidedUnit again = decide(units.get(i));
                    outdated.addAll(known.changes());
                    outdated.addAll(again.changes());
                    current.add(again);
                }
            }
            return decided(current);
        }

        private DecidedBatch decided(List<DecidedUnit> units) {
            return new DecidedBatch(units, committed, List.copyOf(batch.states().values()));
        }

        private boolean isCurrent(DecidedUnit known, CommitUnit unit, TouchedKeys outdated) {
            return !known.reads().intersects(outdated)
                    && !known.repeatsOtherUnit()
                    && unit.parts().stream()
                            .map(Part::id)
                            .allMatch(id -> known.isStored(id) || !earlier.containsKey(id));
        }

        private DecidedUnit decide(CommitUnit unit) {
            ReadRecorder recorder = new ReadRecorder(batch);
            Overlay overlay = new Overlay(recorder);
            List<DecidedPart> parts = new ArrayList<>();
            List<EventDraft> events = new ArrayList<>();
            Map<PartId, Throwable> failures = new LinkedHashMap<>();
            for (Part part : unit.parts()) {
                DecidedPart duplicate = decidedBefore(part.id());
                if (duplicate != null && !unit.afterReset()) {
                    parts.add(duplicate);
                    continue;
                }
                PartDecider decider = new PartDecider(part, settings, codec, times, interceptor, overlay);
                Throwable failure = run(decider, duplicate);
                if (failure != null) {
                    failures.put(part.id(), failure);
                    continue;
                }
                decider.overlay().mergeInto(overlay);
                events.addAll(decider.drafts());
                parts.add(duplicate != null ? duplicate : DecidedPart.of(part.id(), decider.drafts()));
            }
            if (!failures.isEmpty()) {
                return new DecidedUnit(parts, noWrites(), failures, recorder.reads(), new Overlay(batch), List.of());
            }
            List<CommittedChange> changes = changes(overlay, recorder);
            overlay.raiseRowVersions();
            UnitWrites writes = new UnitWrites(
                    events,
                    rows(overlay),
                    snapshots(overlay),
                    unit.tokenAdvance(),
                    letters(unit, parts),
                    unit.settlements());
            DecidedUnit decided = new DecidedUnit(parts, writes, Map.of(), recorder.reads(), overlay, changes);
            accept(decided);
            return decided;
        }

        /**
         * Returns the letters with the outcomes that only the decisions show: an event whose earlier run was found had
         * taken effect before. After a reset, the rows of such an event are written again.
         */
        private static LetterWrites letters(CommitUnit unit, List<DecidedPart> parts) {
            if (unit.letters().outcomes().isEmpty()) {
                return unit.letters();
            }
            Map<PartId, DecidedPart> decided = new HashMap<>();
            parts.forEach(part -> decided.put(part.id(), part));
            return unit.letters()
                    .withOutcomes(unit.letters().outcomes().stream()
                            .map(letter -> outcome(
                                    letter,
                                    decided.get(new PartId(letter.event(), letter.component())),
                                    unit.afterReset()))
                            .toList());
        }

        private static LetterOutcome outcome(LetterOutcome letter, @Nullable DecidedPart part, boolean afterReset) {
            if (part == null || letter.outcome() != LetterOutcome.Outcome.APPLIED) {
                return letter;
            }
            boolean wasApplied = part.duplicate() && !afterReset;
            return wasApplied
                    ? letter.alreadyApplied()
                    : letter.withAppended(part.eventIds().size());
        }

        /** Lets later units of the batch see the changes of this one. */
        private void accept(DecidedUnit unit) {
            if (unit.failures().isEmpty()) {
                unit.parts().forEach(part -> inThisBatch.putIfAbsent(part.id(), part.eventIds()));
                unit.changes().mergeInto(batch);
            }
        }

        /**
         * Returns the part's earlier run, if it has events. It may have been committed long ago, or wait in the same
         * batch.
         */
        private @Nullable DecidedPart decidedBefore(PartId id) {
            List<EventMessage> stored = earlier.get(id);
            if (stored != null) {
                return new DecidedPart(id, List.of(), stored, true);
            }
            List<UUID> first = inThisBatch.get(id);
            return first == null || first.isEmpty() ? null : new DecidedPart(id, first, List.of(), true);
        }

        /** Runs a part; if its events exist, only its row updates. The token ensures that this happens once. */
        private @Nullable Throwable run(PartDecider decider, @Nullable DecidedPart duplicate) {
            counters.decided();
            try {
                if (duplicate == null) {
                    decider.run();
                } else {
                    decider.runAgain(duplicate.stored());
                }
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
            overlay.rows().forEach((key, row) -> rows.add(row.write(key)));
            return rows;
        }

        /** Returns the changes of rows that have listeners. */
        private List<CommittedChange> changes(Overlay overlay, ReadRecorder recorder) {
            List<CommittedChange> changes = new ArrayList<>();
            overlay.rows().forEach((key, row) -> {
                if (rowListeners.has(row.view())) {
                    Object before = recorder.before(key).value();
                    changes.add(new CommittedChange(row.view(), new RowChange<>(key.key(), before, row.value())));
                }
            });
            return changes;
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

    private static UnitWrites noWrites() {
        return new UnitWrites(List.of(), List.of(), List.of(), Optional.empty());
    }
}

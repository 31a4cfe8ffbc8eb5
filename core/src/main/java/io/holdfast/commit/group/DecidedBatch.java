package io.holdfast.commit.group;

import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.UnitWrites;
import io.holdfast.commit.group.RowListeners.CommittedChange;
import io.holdfast.event.EventMessage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Units after their decisions have run: their writes, the versions that these depend on, and their outcomes.
 *
 * @param units in the order in which they were decided
 * @param committed the committed states and rows that any decision has read, rejecting ones included
 * @param states the resulting states of all keys that change
 */
record DecidedBatch(List<DecidedUnit> units, CommittedLayer committed, Collection<AggregateState<?>> states) {

    /** Returns the committed versions that any decision has read. */
    ReadVersions reads() {
        return committed.versions();
    }

    List<UnitWrites> writes() {
        return units.stream().map(DecidedUnit::writes).toList();
    }

    /** Returns the streams to which events are appended. */
    Set<String> streams() {
        return units.stream()
                .flatMap(unit -> unit.writes().events().stream())
                .map(event -> event.key().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the changes of rows that have listeners, in the order of the units. */
    List<CommittedChange> rowChanges() {
        return units.stream().flatMap(unit -> unit.rowChanges().stream()).toList();
    }

    boolean writesNothing() {
        return units.stream().allMatch(unit -> unit.writes().isEmpty());
    }

    /**
     * @param parts in the unit's order; without those that failed
     * @param failures by part, if its decisions threw; then nothing is written
     * @param reads what the unit depends on, whether it is committed or changed by an earlier unit of the batch
     * @param changes the resulting states and rows
     * @param rowChanges the changes of rows that have listeners
     */
    record DecidedUnit(
            List<DecidedPart> parts,
            UnitWrites writes,
            Map<PartId, Throwable> failures,
            TouchedKeys reads,
            Overlay changes,
            List<CommittedChange> rowChanges) {

        /** Returns whether a part repeats another one of the batch, and so depends on it. */
        boolean repeatsOtherUnit() {
            return parts.stream()
                    .anyMatch(part -> part.duplicate() && part.stored().isEmpty());
        }

        /** Returns whether the part was found to be committed earlier. */
        boolean isStored(PartId id) {
            return parts.stream()
                    .anyMatch(part -> part.id().equals(id) && !part.stored().isEmpty());
        }

        /** Returns whether the part appends an event, or repeats one that does. */
        boolean hasEvents(PartId id) {
            return parts.stream().anyMatch(part -> part.id().equals(id) && part.hasEvents());
        }

        /**
         * Returns whether a lookup in the store can detect that this unit was committed, if applying it twice does
         * harm.
         */
        boolean isDeduplicable() {
            return writes.rows().isEmpty()
                    || writes.tokenAdvance().isPresent()
                    || !writes.settlements().isEmpty()
                    || parts.stream().allMatch(DecidedPart::hasEvents);
        }

        UnitOutcome outcome(Map<UUID, EventMessage> committed) {
            if (!failures.isEmpty()) {
                return new UnitOutcome.PartsFailed(failures);
            }
            return new UnitOutcome.Committed(
                    parts.stream().map(part -> part.result(committed)).toList(),
                    writes.letters().outcomes());
        }
    }

    /**
     * @param eventIds the ids of the events that this part, or its first run within the batch, appends
     * @param stored the events of a run that was committed earlier
     */
    record DecidedPart(PartId id, List<UUID> eventIds, List<EventMessage> stored, boolean duplicate) {

        /** Returns a part that appends these events. */
        static DecidedPart of(PartId id, List<EventDraft> drafts) {
            return new DecidedPart(id, drafts.stream().map(EventDraft::id).toList(), List.of(), false);
        }

        boolean hasEvents() {
            return !eventIds.isEmpty() || !stored.isEmpty();
        }

        PartResult result(Map<UUID, EventMessage> committed) {
            List<EventMessage> events = stored.isEmpty()
                    ? eventIds.stream()
                            .map(id -> Objects.requireNonNull(
                                    committed.get(id), "a written event is missing from the commit's result"))
                            .toList()
                    : stored;
            return new PartResult(id, events, duplicate);
        }
    }
}

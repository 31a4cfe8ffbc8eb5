package io.holdfast.commit;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateState;
import io.holdfast.event.EventMessage;
import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.HashMap;
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
 * @param reads the committed versions that any decision has read, rejecting ones included
 * @param states the resulting states of all keys that change
 */
record DecidedBatch(List<DecidedUnit> units, ReadVersions reads, Collection<AggregateState<?>> states) {

    List<UnitWrites> writes() {
        return units.stream().map(DecidedUnit::writes).toList();
    }

    /**
     * Returns the versions that were read but are not written. Nothing else would detect that they are stale, whereas
     * a write checks its own version.
     */
    ReadVersions onlyRead() {
        Map<AggregateKey, Long> keys = new HashMap<>(reads.keys());
        Map<RowKey, Long> rows = new HashMap<>(reads.rows());
        for (DecidedUnit unit : units) {
            unit.writes().events().forEach(event -> keys.remove(event.key()));
            unit.writes().rows().forEach(row -> rows.remove(row.key()));
        }
        return new ReadVersions(keys, rows);
    }

    /** Returns the streams to which events are appended. */
    Set<String> streams() {
        return units.stream()
                .flatMap(unit -> unit.writes().events().stream())
                .map(event -> event.key().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    boolean writesNothing() {
        return units.stream().allMatch(unit -> unit.writes().isEmpty());
    }

    /**
     * @param parts in the unit's order; used only if nothing failed
     * @param failures by part, if its decisions threw; then nothing is written
     */
    record DecidedUnit(List<DecidedPart> parts, UnitWrites writes, Map<PartId, Throwable> failures) {

        /**
         * Returns whether a lookup in the store can detect that this unit was committed, if applying it twice does
         * harm.
         */
        boolean isDeduplicable() {
            return writes.rows().isEmpty()
                    || writes.tokenAdvance().isPresent()
                    || parts.stream().allMatch(DecidedPart::hasEvents);
        }

        UnitOutcome outcome(Map<UUID, EventMessage> committed) {
            if (!failures.isEmpty()) {
                return new UnitOutcome.PartsFailed(failures);
            }
            return new UnitOutcome.Committed(
                    parts.stream().map(part -> part.result(committed)).toList());
        }
    }

    /**
     * @param eventIds the ids of the events that this part, or its first run within the batch, appends
     * @param stored the events of a run that was committed earlier
     */
    record DecidedPart(PartId id, List<UUID> eventIds, List<EventMessage> stored, boolean duplicate) {

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

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
 * Units after their decisions have run: what to write, what it was based on, and what to answer.
 *
 * @param units in the order in which they were decided
 * @param reads the committed versions that any decision saw, refusing ones included
 * @param states the states of all keys that change, as they will be
 */
record DecidedBatch(List<DecidedUnit> units, ReadVersions reads, Collection<AggregateState<?>> states) {

    List<UnitWrites> writes() {
        return units.stream().map(DecidedUnit::writes).toList();
    }

    /** What is read and not written: nobody would notice that it has moved. What is written is checked by writing it. */
    ReadVersions onlyRead() {
        Map<AggregateKey, Long> keys = new HashMap<>(reads.keys());
        Map<RowKey, Long> rows = new HashMap<>(reads.rows());
        for (DecidedUnit unit : units) {
            unit.writes().events().forEach(event -> keys.remove(event.key()));
            unit.writes().rows().forEach(row -> rows.remove(row.key()));
        }
        return new ReadVersions(keys, rows);
    }

    /** The streams that get events. */
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
     * @param parts in the unit's order; only used when nothing failed
     * @param failures of parts whose decisions threw; then nothing is written
     */
    record DecidedUnit(List<DecidedPart> parts, UnitWrites writes, Map<PartId, Throwable> failures) {

        /** Whether a later look at the store can tell that this unit was committed, as far as it must not be twice. */
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
     * @param eventIds of the events that this part, or its first run within the batch, appends
     * @param stored the events of a run that was committed before
     */
    record DecidedPart(PartId id, List<UUID> eventIds, List<EventMessage> stored, boolean duplicate) {

        boolean hasEvents() {
            return !eventIds.isEmpty() || !stored.isEmpty();
        }

        PartResult result(Map<UUID, EventMessage> committed) {
            List<EventMessage> events = stored.isEmpty()
                    ? eventIds.stream()
                            .map(id -> Objects.requireNonNull(committed.get(id), "an event that was written"))
                            .toList()
                    : stored;
            return new PartResult(id, events, duplicate);
        }
    }
}

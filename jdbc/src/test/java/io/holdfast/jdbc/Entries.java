package io.holdfast.jdbc;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventType;
import io.holdfast.view.View;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A small domain that changes between two versions: entries, numbered per key from 1, and the effects of each. */
final class Entries {

    /** All types of entries, as the process that writes them knows them. */
    static final AggregateType<Count> ENTRIES = AggregateType.of("entries", Count.class, new Count(0))
            .on(Added.class, (count, event) -> new Count(event.number()))
            .on(Revised.class, (count, event) -> new Count(event.number()))
            .on(Entered.class, (count, event) -> new Count(event.entry()))
            .build();

    private static final Map<String, AggregateType<Count>> EFFECTS = Stream.of("first", "second")
            .collect(Collectors.toUnmodifiableMap(component -> component, Entries::newEffects));

    private Entries() {}

    /** Returns the stream of a component's effects. */
    static AggregateType<Count> effects(String component) {
        return Objects.requireNonNull(EFFECTS.get(component));
    }

    private static AggregateType<Count> newEffects(String component) {
        return AggregateType.of("effects-" + component, Count.class, new Count(0))
                .on(Applied.class, (count, event) -> new Count(event.number()))
                .build();
    }

    /** Returns a component's view, with one row per key. */
    static View<Totals> totals(String component) {
        return new View<>("totals-" + component, Totals.class);
    }

    /** Returns the same view, as a version with one more field sees it. */
    static View<RevisedTotals> revisedTotals(String component) {
        return new View<>(totals(component).name(), RevisedTotals.class);
    }

    /** The type of entry that every version handles. */
    record Added(int number) {}

    /** The type of entry that only a new version handles. */
    record Revised(int number) {}

    /** The new name of {@link Added}. */
    @EventType(revision = 2)
    record Entered(int entry) {}

    /** An entry was handled. */
    record Applied(int number) {}

    /** The number of the newest entry or effect. */
    record Count(int number) {}

    /** Counts the handled entries of a key: a second effect of the same entry would be visible. */
    record Totals(int handled) {}

    /** {@link Totals} with a field that only a new version knows. */
    record RevisedTotals(int handled, @Nullable Integer revised) {

        int revisedOrZero() {
            return revised == null ? 0 : revised;
        }
    }
}

package io.holdfast.jdbc;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.view.View;

/** A small domain for processor tests: orders, numbered per customer from 1, and a copy of each. */
final class Copies {

    static final AggregateType<Count> ORDERS = AggregateType.of("orders", Count.class, new Count(0))
            .on(Placed.class, (count, event) -> new Count(event.number()))
            .build();

    static final AggregateType<Count> COPIES = AggregateType.of("copies", Count.class, new Count(0))
            .on(Copied.class, (count, event) -> new Count(event.number()))
            .build();

    /** One row per copy. */
    static final View<Written> VIEW = new View<>("copies", Written.class);

    /** The same rows as application rows of a component. The table has no key, so that duplicates are visible. */
    static final String TABLE = "copy_row";

    private Copies() {}

    static String rowKey(String customer, int number) {
        return customer + "/" + number;
    }

    /** An order was placed. */
    record Placed(int number) {}

    /** An order was copied. */
    record Copied(int number) {}

    /** The number of the newest order or copy. */
    record Count(int number) {}

    /**
     * Counts how often a copy was written.
     *
     * @param times the number of writes
     * @param by the replica that wrote it last
     */
    record Written(int times, String by) {}
}

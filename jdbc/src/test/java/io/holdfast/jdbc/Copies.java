package io.holdfast.jdbc;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.view.View;

/** A small domain for tests of processors: orders, numbered by customer from 1, and a copy of each. */
final class Copies {

    static final AggregateType<Count> ORDERS = AggregateType.of("orders", Count.class, new Count(0))
            .on(Placed.class, (count, event) -> new Count(event.number()))
            .build();

    static final AggregateType<Count> COPIES = AggregateType.of("copies", Count.class, new Count(0))
            .on(Copied.class, (count, event) -> new Count(event.number()))
            .build();

    /** One row for each copy. */
    static final View<Written> VIEW = new View<>("copies", Written.class);

    /** The same rows, where a component keeps them itself. It has no key, so that a row can be there twice. */
    static final String TABLE = "copy_row";

    private Copies() {}

    static String rowKey(String customer, int number) {
        return customer + "/" + number;
    }

    /** An order came. */
    record Placed(int number) {}

    /** It was copied. */
    record Copied(int number) {}

    /** The number of the newest. */
    record Count(int number) {}

    /**
     * That a copy was written.
     *
     * @param times how often
     * @param by the replica that was the last to do it
     */
    record Written(int times, String by) {}
}

package io.holdfast.jpa;

import io.holdfast.aggregate.AggregateType;

/** A small domain for tests of processors: orders, and what was booked for them. */
final class Bookings {

    static final AggregateType<Count> ORDERS = AggregateType.of("orders", Count.class, new Count(0))
            .on(Placed.class, (count, event) -> new Count(event.number()))
            .build();

    static final AggregateType<Count> BOOKINGS = AggregateType.of("bookings", Count.class, new Count(0))
            .on(Booked.class, (count, event) -> new Count(event.number()))
            .build();

    private Bookings() {}

    /** An order came. */
    record Placed(int number) {}

    /** It was booked. */
    record Booked(int number) {}

    /** The number of the newest. */
    record Count(int number) {}
}

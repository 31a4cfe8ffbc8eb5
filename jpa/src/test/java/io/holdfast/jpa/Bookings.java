package io.holdfast.jpa;

import io.holdfast.aggregate.AggregateType;

/** A small domain for processor tests: orders and their bookings. */
final class Bookings {

    static final AggregateType<Count> ORDERS = AggregateType.of("orders", Count.class, new Count(0))
            .on(Placed.class, (count, event) -> new Count(event.number()))
            .build();

    static final AggregateType<Count> BOOKINGS = AggregateType.of("bookings", Count.class, new Count(0))
            .on(Booked.class, (count, event) -> new Count(event.number()))
            .build();

    private Bookings() {}

    /** An order was placed. */
    record Placed(int number) {}

    /** An order was booked. */
    record Booked(int number) {}

    /** The number of the newest order or booking. */
    record Count(int number) {}
}

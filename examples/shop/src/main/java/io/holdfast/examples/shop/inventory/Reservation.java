package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.AggregateType;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The stock reservation of one order. Its key is the order's id.
 *
 * @param items the quantities by product id, sorted by product id
 */
public record Reservation(ReservationStatus status, SortedMap<String, Integer> items) {

    public static final String STREAM = "reservations";

    public static final AggregateType<Reservation> TYPE = AggregateType.of(
                    STREAM, Reservation.class, new Reservation(ReservationStatus.NONE, new TreeMap<>()))
            .on(StockReserved.class, (reservation, event) -> reserved(event.items()))
            .on(StockReservationFailed.class, (reservation, event) -> reservation.withStatus(ReservationStatus.FAILED))
            .on(ReservationFulfilled.class, (reservation, event) -> reservation.withStatus(ReservationStatus.FULFILLED))
            .on(StockReleased.class, (reservation, event) -> reservation.withStatus(ReservationStatus.RELEASED))
            .on(ReservationWithdrawn.class, (reservation, event) -> reservation.withStatus(ReservationStatus.WITHDRAWN))
            .build();

    private static Reservation reserved(Map<String, Integer> items) {
        return new Reservation(ReservationStatus.RESERVED, new TreeMap<>(items));
    }

    private Reservation withStatus(ReservationStatus next) {
        return new Reservation(next, items);
    }
}

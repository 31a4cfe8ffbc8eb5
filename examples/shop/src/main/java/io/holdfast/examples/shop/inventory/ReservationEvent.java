package io.holdfast.examples.shop.inventory;

/** What happens to the reservation of an order. */
public sealed interface ReservationEvent
        permits StockReserved, StockReservationFailed, ReservationFulfilled, StockReleased, ReservationWithdrawn {}

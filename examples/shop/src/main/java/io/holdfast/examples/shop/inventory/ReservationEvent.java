package io.holdfast.examples.shop.inventory;

/** An event of the reservation of an order. */
public sealed interface ReservationEvent
        permits StockReserved, StockReservationFailed, ReservationFulfilled, StockReleased, ReservationWithdrawn {}

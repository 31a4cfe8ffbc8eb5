/**
 * The inventory service: products with their stock, and one reservation per order. It owns the streams {@code products}
 * and {@code reservations}. One decision changes both in one commit unit, so all lines of an order are reserved or
 * none.
 */
@NullMarked
package io.holdfast.examples.shop.inventory;

import org.jspecify.annotations.NullMarked;

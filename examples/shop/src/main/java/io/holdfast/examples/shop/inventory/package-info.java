/**
 * The inventory service: products with their stock, and one reservation per order. It owns the streams {@code products}
 * and {@code reservations}. A decision changes both in one unit: an order is reserved whole or not at all.
 */
@NullMarked
package io.holdfast.examples.shop.inventory;

import org.jspecify.annotations.NullMarked;

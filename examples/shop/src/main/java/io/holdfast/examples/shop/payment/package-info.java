/**
 * The payment service: captures the total of an order once its stock is reserved. It owns the stream {@code payments},
 * whose key is the order's id, so an order is paid at most once.
 */
@NullMarked
package io.holdfast.examples.shop.payment;

import org.jspecify.annotations.NullMarked;

/**
 * The order service: accepts orders and confirms or cancels them in response to inventory's and payment's events. It
 * owns the stream {@code orders}. It depends on the names and fields of other services' events, not on their classes.
 */
@NullMarked
package io.holdfast.examples.shop.order;

import org.jspecify.annotations.NullMarked;

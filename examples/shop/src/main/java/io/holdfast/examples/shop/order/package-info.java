/**
 * The order service: takes orders, and confirms or cancels them by what inventory and payment say. It owns the stream
 * {@code orders}. Of other services it knows the names and the content of their events, not their classes.
 */
@NullMarked
package io.holdfast.examples.shop.order;

import org.jspecify.annotations.NullMarked;

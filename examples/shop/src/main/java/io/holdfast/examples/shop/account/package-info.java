/**
 * The account service: customers. It owns the stream {@code customers}, the only source of customers for other
 * services.
 */
@NullMarked
package io.holdfast.examples.shop.account;

import org.jspecify.annotations.NullMarked;

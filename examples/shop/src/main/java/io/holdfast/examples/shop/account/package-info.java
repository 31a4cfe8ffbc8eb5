/** The account service: customers. It owns the stream {@code customers}; others learn of customers by its events alone. */
@NullMarked
package io.holdfast.examples.shop.account;

import org.jspecify.annotations.NullMarked;

/** What {@code ./demo} does: it starts the shop, shows it by scenarios, and puts it under load. It knows the shop by its REST API. */
@NullMarked
package io.holdfast.examples.shop.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The {@code ./demo} command: starts the shop, runs scenarios and loads. Accesses the shop through its REST API only.
 */
@NullMarked
package io.holdfast.examples.shop.demo;

import org.jspecify.annotations.NullMarked;

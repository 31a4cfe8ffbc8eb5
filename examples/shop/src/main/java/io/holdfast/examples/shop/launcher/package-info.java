/** Starts the shop: all services in one process, or one process for each and a stock Hazelcast member between them. */
@NullMarked
package io.holdfast.examples.shop.launcher;

import org.jspecify.annotations.NullMarked;

/** Starts the shop: all services in one process, or each in its own process with a shared stock Hazelcast member. */
@NullMarked
package io.holdfast.examples.shop.launcher;

import org.jspecify.annotations.NullMarked;

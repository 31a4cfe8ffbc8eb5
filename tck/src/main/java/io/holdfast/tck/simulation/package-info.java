/**
 * Two services of two replicas each and a wire between them, driven step by step on one thread, killed at every named
 * point and then asked for the books: the promise as a property.
 */
@NullMarked
package io.holdfast.tck.simulation;

import org.jspecify.annotations.NullMarked;

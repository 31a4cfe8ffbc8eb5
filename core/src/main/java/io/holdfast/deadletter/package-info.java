/**
 * What could not be handled: letters, each parked in the sequence that it belongs to, so that nothing overtakes it.
 */
@NullMarked
package io.holdfast.deadletter;

import org.jspecify.annotations.NullMarked;

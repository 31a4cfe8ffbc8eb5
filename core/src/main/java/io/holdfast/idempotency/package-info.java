/**
 * Check and claim, in two phases, for work that has no position in a stream: topic listeners, commands, own code.
 */
@NullMarked
package io.holdfast.idempotency;

import org.jspecify.annotations.NullMarked;

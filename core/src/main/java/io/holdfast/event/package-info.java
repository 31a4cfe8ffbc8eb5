/**
 * What an event is, how its payload is written and read, how its id is made, and the log that keeps it.
 */
@NullMarked
package io.holdfast.event;

import org.jspecify.annotations.NullMarked;

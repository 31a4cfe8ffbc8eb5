/**
 * From the log to the wire: the publisher, and the store for services that keep rows instead of events.
 */
@NullMarked
package io.holdfast.outbox;

import org.jspecify.annotations.NullMarked;

/**
 * Publishing events from the log to the wire, and the transactional outbox for services that store rows instead of
 * events.
 */
@NullMarked
package io.holdfast.outbox;

import org.jspecify.annotations.NullMarked;

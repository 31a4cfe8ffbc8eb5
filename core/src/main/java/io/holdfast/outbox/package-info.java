/**
 * Publishing events from the log to the wire, and the transactional outbox for services that store rows instead of
 * events.
 *
 * <p><b>Audience:</b> users and adapters.
 */
@NullMarked
package io.holdfast.outbox;

import org.jspecify.annotations.NullMarked;

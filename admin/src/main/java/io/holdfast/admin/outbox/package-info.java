/**
 * The outboxes of all services: {@link io.holdfast.admin.outbox.OutboxListing}.
 *
 * <p><b>Audience:</b> engine. Public for the REST API and for modules on top of it.
 */
@NullMarked
package io.holdfast.admin.outbox;

import org.jspecify.annotations.NullMarked;

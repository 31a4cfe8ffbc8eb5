/**
 * Operations on parts of the system: processors, sagas, consumer groups, outboxes, breakers. They are actions with
 * receipts: checked and stored at their owner, and settled together with their effect.
 *
 * <p><b>Audience:</b> engine. {@link io.holdfast.admin.operation.SystemOperation} is for users.
 */
@NullMarked
package io.holdfast.admin.operation;

import org.jspecify.annotations.NullMarked;

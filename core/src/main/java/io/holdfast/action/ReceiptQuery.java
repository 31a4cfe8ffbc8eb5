package io.holdfast.action;

import io.holdfast.PermanentException;
import io.holdfast.action.Action.Kind;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects receipts, newest first. Null selects all.
 *
 * @param target as in {@link Action#target}
 * @param component the stable id of a component of which the action has selected letters
 * @param eventId an event that the action has selected
 * @param open whether the action has open items
 * @param from the earliest time of the request
 * @param to the time before which the action was requested
 * @param after the last receipt of the previous page; null for the first page
 * @param limit the maximum number of receipts
 */
public record ReceiptQuery(
        @Nullable String operator,
        @Nullable Kind kind,
        @Nullable String target,
        @Nullable String component,
        @Nullable UUID eventId,
        @Nullable Boolean open,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Cursor after,
        int limit) {

    /** The place of a receipt in the order of all receipts. */
    public record Cursor(Instant requestedAt, String action) {}

    public ReceiptQuery {
        if (limit < 1) {
            throw new PermanentException("limit of receipts must be positive, but is " + limit);
        }
    }

    /** Selects the newest receipts. */
    public static ReceiptQuery newest(int limit) {
        return new ReceiptQuery(null, null, null, null, null, null, null, null, null, limit);
    }

    public ReceiptQuery byOperator(@Nullable String newOperator) {
        return new ReceiptQuery(newOperator, kind, target, component, eventId, open, from, to, after, limit);
    }

    public ReceiptQuery ofKind(@Nullable Kind newKind) {
        return new ReceiptQuery(operator, newKind, target, component, eventId, open, from, to, after, limit);
    }

    public ReceiptQuery ofTarget(@Nullable String newTarget) {
        return new ReceiptQuery(operator, kind, newTarget, component, eventId, open, from, to, after, limit);
    }

    public ReceiptQuery ofComponent(@Nullable String newComponent) {
        return new ReceiptQuery(operator, kind, target, newComponent, eventId, open, from, to, after, limit);
    }

    public ReceiptQuery ofEvent(@Nullable UUID newEvent) {
        return new ReceiptQuery(operator, kind, target, component, newEvent, open, from, to, after, limit);
    }

    public ReceiptQuery whichAreOpen(@Nullable Boolean newOpen) {
        return new ReceiptQuery(operator, kind, target, component, eventId, newOpen, from, to, after, limit);
    }

    public ReceiptQuery between(@Nullable Instant newFrom, @Nullable Instant newTo) {
        return new ReceiptQuery(operator, kind, target, component, eventId, open, newFrom, newTo, after, limit);
    }

    public ReceiptQuery after(@Nullable Cursor newAfter) {
        return new ReceiptQuery(operator, kind, target, component, eventId, open, from, to, newAfter, limit);
    }
}

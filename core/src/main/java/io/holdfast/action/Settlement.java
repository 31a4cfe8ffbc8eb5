package io.holdfast.action;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.event.Names;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an operation, which the store commits in the transaction of the operation's effect. If the item was
 * settled before, that transaction is rolled back with an {@link AlreadySettledException}: nothing takes effect twice,
 * nor after the receipt has denied it.
 *
 * @param item the item's number within its action
 * @param outcome {@link Outcome#APPLIED} or {@link Outcome#REFUSED}
 * @param detail what the operator should know, for example the new generation; null if there is nothing to add
 * @param replica the replica that runs the operation
 */
public record Settlement(String action, int item, Outcome outcome, @Nullable String detail, String replica) {

    static final int MAX_DETAIL_LENGTH = 255;

    public Settlement {
        Names.require("replica", replica);
        if (outcome != Outcome.APPLIED && outcome != Outcome.REFUSED) {
            throw new PermanentException("an operation is APPLIED or REFUSED, not " + outcome);
        }
        detail = shortened(detail);
    }

    /** Returns the settlement of an operation that takes effect. */
    public static Settlement applied(ActionStore.OpenItem item, String replica) {
        return new Settlement(item.action(), item.number(), Outcome.APPLIED, null, replica);
    }

    public Settlement withDetail(String newDetail) {
        return new Settlement(action, item, outcome, newDetail, replica);
    }

    /** Returns a detail that every store can represent: the message of an exception may be long. */
    public static @Nullable String shortened(@Nullable String detail) {
        if (detail == null) {
            return null;
        }
        String storable = Names.isStorable(detail) ? detail : "(unprintable detail)";
        return storable.length() <= MAX_DETAIL_LENGTH ? storable : cut(storable);
    }

    private static String cut(String detail) {
        int end = Character.isHighSurrogate(detail.charAt(MAX_DETAIL_LENGTH - 2))
                ? MAX_DETAIL_LENGTH - 2
                : MAX_DETAIL_LENGTH - 1;
        return detail.substring(0, end) + "…";
    }
}

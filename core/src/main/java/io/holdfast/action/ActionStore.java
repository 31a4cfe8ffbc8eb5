package io.holdfast.action;

import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.ResolvedLetter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores actions and their receipts. The committer settles items in the unit that attempts or removes their letter, and
 * so does every other transaction that removes a letter ({@link io.holdfast.deadletter.LetterWrites#outcomes}). A
 * transaction that carries out an operation settles its item ({@link Settlement}). The store also records which letters
 * were resolved. A letter that is neither parked nor resolved was therefore handled.
 *
 * <p><b>Contract.</b> An item is settled exactly once. A letter, and what an operation names, has at most one open item.
 * {@code selected = open + all outcomes} for every receipt that a reader can see.
 *
 * <p><b>Versions.</b> Actions of a kind that only a later version knows are ignored: neither found nor settled.
 *
 * <p><b>Thread safety.</b> Safe for concurrent use by any number of threads and processes.
 *
 * <p><b>Transaction.</b> Joins none. Each call is a transaction of its own, except where it is documented otherwise.
 */
public interface ActionStore {

    /**
     * An item that is not settled yet.
     *
     * @param number the item's number within its action, from 0
     * @param isExpired whether it may no longer start: the deadline of the action has passed on the store's clock, or the
     *     action was stopped
     */
    record OpenItem(String action, int number, Action.Kind kind, Action.Item item, boolean isExpired) {

        /** Returns the letter of an item that is one. */
        public LetterItem letter() {
            return (LetterItem) item;
        }

        public boolean isLetter() {
            return item instanceof LetterItem;
        }

        /** Two reads of the same item are equal. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof OpenItem that && action.equals(that.action) && number == that.number;
        }

        @Override
        public int hashCode() {
            return 31 * action.hashCode() + number;
        }
    }

    /**
     * Stages an action with its items, all or nothing. Idempotent by the action's id.
     *
     * @throws io.holdfast.RetryableException if the store is unavailable; the action may have been staged
     */
    Staging stage(Action action);

    /** Returns the receipts of these actions, in any order; unknown ids are ignored. */
    List<Receipt> find(Collection<String> actions);

    /** Returns the receipts that a query selects, newest first, then by descending id. */
    List<Receipt> findReceipts(ReceiptQuery query);

    /**
     * Returns items of an action in the order of their numbers; empty if the action is unknown.
     *
     * @param fromItem the first number
     */
    List<Receipt.Item> findItems(String action, int fromItem, int limit);

    /**
     * Returns the oldest open items: first those of operations, because a replay may wait for one, such as a resume, and
     * then those of letters. Each in the order of staging.
     */
    List<OpenItem> findOpen(int limit);

    /** Returns those of the items that are still open and may start, in the given order. */
    List<OpenItem> retainOpen(Collection<OpenItem> items);

    /**
     * Settles open items that no transaction of an effect settles: of letters that are not attempted, and of operations
     * that are refused or whose effect is not durable. Ignores items that are settled.
     *
     * @param replica the replica that settles them
     */
    void settle(Collection<OpenItem> items, Outcome outcome, @Nullable String detail, String replica);

    /**
     * Settles the open items whose letters are neither parked nor about to be settled: a letter that was removed just
     * before its item was staged. The resolved letter determines the outcome. If there is none, the event was applied.
     */
    void settleRemoved(Collection<OpenItem> items, String replica);

    /**
     * Settles the open items that may no longer start as NOT_TRIED, and raises the token versions of their segments: a
     * unit that attempts one of the letters is then rejected, so nothing takes effect that the receipt denies.
     *
     * @param limit the maximum number of items
     * @return the number of settled items
     */
    int expire(int limit, String replica);

    /**
     * Stops an action: its open items are not tried, as after {@link #expire}. Many items take several transactions; if
     * the caller dies after the first, {@link #expire} settles the rest. Does nothing if no item is open. The first
     * requester counts.
     *
     * @return the receipt; empty if the action is unknown
     */
    Optional<Receipt> stop(String action, Requester requester, String replica);

    /** Returns how a letter was resolved; empty if it is parked, was handled automatically, or is unknown. */
    Optional<ResolvedLetter> findResolved(String component, UUID event);

    /**
     * Deletes receipts without open items and resolved letters that are older than their retention time. A receipt with
     * more items than the limit takes several calls, and is found no more after the first.
     *
     * @param limit the maximum number of items, and of resolved letters, to delete in one transaction
     * @return whether more may be left
     */
    boolean deleteExpired(Duration receipts, Duration resolved, int limit);
}

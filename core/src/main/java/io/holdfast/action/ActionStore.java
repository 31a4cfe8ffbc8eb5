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
 * so does every other transaction that removes a letter ({@link io.holdfast.deadletter.LetterWrites#outcomes}). It also
 * stores which letters were resolved. A letter that is neither parked nor resolved was therefore handled.
 *
 * <p><b>Contract.</b> An item is settled exactly once. A letter has at most one open item. {@code selected = open + all
 * outcomes} for every receipt that a reader can see.
 *
 * <p><b>Thread safety.</b> Safe for concurrent use by any number of threads and processes.
 *
 * <p><b>Transaction.</b> Joins none. Each call is a transaction of its own.
 */
public interface ActionStore {

    /**
     * An item that is not settled yet.
     *
     * @param number the item's number within its action, from 0
     * @param isExpired whether the deadline of the action has passed on the store's clock
     */
    record OpenItem(String action, int number, Action.Kind kind, Action.Item item, boolean isExpired) {

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

    /** Returns the oldest open items of all processors, in the order in which they were staged. */
    List<OpenItem> findOpen(int limit);

    /**
     * Settles open items whose letters no transaction attempts: the outcome is REFUSED or NOT_TRIED. Ignores items that
     * are settled.
     */
    void settle(Collection<OpenItem> items, Outcome outcome, String detail);

    /**
     * Settles the open items whose letters are neither parked nor about to be settled: a letter that was removed just
     * before its item was staged. The resolved letter determines the outcome. If there is none, the event was applied.
     */
    void settleRemoved(Collection<OpenItem> items);

    /**
     * Settles the open items whose deadline has passed as NOT_TRIED, and raises the token versions of their segments: a
     * unit that attempts one of the letters is then rejected, so nothing takes effect that the receipt denies.
     *
     * @param limit the maximum number of items
     * @return the number of settled items
     */
    int expire(int limit);

    /** Returns how a letter was resolved; empty if it is parked, was handled automatically, or is unknown. */
    Optional<ResolvedLetter> findResolved(String component, UUID event);

    /**
     * Deletes receipts without open items and resolved letters that are older than their retention time.
     *
     * @param limit the maximum number of each to delete in one transaction
     * @return the number of deleted receipts and resolved letters
     */
    int deleteExpired(Duration receipts, Duration resolved, int limit);
}

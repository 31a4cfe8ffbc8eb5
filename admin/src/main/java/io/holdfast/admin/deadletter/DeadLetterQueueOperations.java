package io.holdfast.admin.deadletter;

import io.holdfast.admin.receipt.ReceiptDetails;
import java.util.List;

/**
 * The dead letters of all services, for application code: find, repair, and park by hand. Each call waits for the services
 * that it asks, at most a few seconds. An interface, so that tests can replace it.
 *
 * <p>Thread-safe. Throws an {@link io.holdfast.admin.gateway.OperatorProblem} if a request is refused, and a
 * {@link io.holdfast.RetryableException} if the owner's store is unavailable.
 */
public interface DeadLetterQueueOperations {

    /**
     * Parks an event by hand, in the queue of one of this service's components: behind the parked letters of its sequence,
     * or as the first letter of a new one, PENDING. A replay passes it to that component. Does nothing if the event is
     * parked there already.
     *
     * @param entry see {@link DeadLetterEntry#builder}
     * @throws io.holdfast.PermanentException if the entry is incomplete, or this service does not have the component
     * @throws io.holdfast.deadletter.DeadLetterQueueOverflowException if the queue has no room
     */
    void add(DeadLetterEntry entry);

    /**
     * Returns the newest PENDING entries of all services that answer.
     *
     * @param limit 1 to {@link DeadLetterQuery#MAX_LIMIT}
     */
    List<DeadLetterEntry> list(int limit);

    /** Returns an entry, parked or resolved. */
    DeadLetterEntry getEntry(String dlqEntryId);

    /**
     * Replays a letter at its owner. If the letter is not the first of its sequence, the replay starts at the first one.
     *
     * @return the receipt; not yet done if the replay takes longer than five seconds
     */
    ReceiptDetails replay(String dlqEntryId);

    /**
     * Removes a letter without effect. The letters behind it continue.
     *
     * @return the receipt; not yet done if that takes longer than five seconds
     */
    ReceiptDetails discard(String dlqEntryId);

    /** Returns the number of PENDING letters of all services that answer. */
    long count();
}

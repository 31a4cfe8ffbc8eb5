package io.holdfast.wire;

import io.holdfast.action.Settlement;
import io.holdfast.event.StreamPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consumer groups of a service's streams, stored by that service.
 *
 * <p><b>Contract.</b> Once {@link #register} returns, nothing that the group has not passed is removed from the
 * stream. A start is stored once and never changes. Only {@link #remove} removes a group.
 *
 * <p><b>Thread safety.</b> Thread-safe, also across processes.
 *
 * <p><b>Transaction.</b> Joins none; each call is durable when it returns.
 *
 * <p><b>Not guaranteed.</b> Reports may decrease: a group that was reset reports a lower position.
 */
public interface ConsumerGroups {

    /**
     * Registers a group. Idempotent.
     *
     * @return the stored group
     */
    ConsumerGroup register(String group, String stream);

    /**
     * Stores where a registered group starts, unless it has a start already.
     *
     * @return the stored group
     * @throws io.holdfast.PermanentException if the group is not registered
     */
    ConsumerGroup storeStart(String group, String stream, StreamPosition start);

    /**
     * Stores the position that a group has reached.
     *
     * @return false if the group is not registered, was removed or has no start yet; then nothing is stored
     */
    boolean report(String group, String stream, StreamPosition reached);

    /** Returns all groups, ordered by name and stream. */
    List<ConsumerGroup> findAll();

    /**
     * Removes a group from all its streams. If it still reads, events that it needs may be removed; it then stops
     * with an error.
     *
     * @param settlement committed together with the removal; if the group does not exist, the item stays open
     * @return false if the group does not exist
     * @throws io.holdfast.action.AlreadySettledException if the item is settled; nothing was changed
     */
    boolean remove(String group, @Nullable Settlement settlement);

    /** As {@link #remove(String, Settlement)}, without a settlement. */
    default boolean remove(String group) {
        return remove(group, null);
    }
}

package io.holdfast.wire;

import io.holdfast.event.StreamPosition;
import java.util.List;

/**
 * The consumer groups of a service's streams, kept by that service.
 *
 * <p><b>Duty.</b> From the moment that {@link #register} returns, nothing of the stream is removed that the group has
 * not passed. A start is stored once and stays. What is known here is never forgotten but by {@link #remove}.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes.
 *
 * <p><b>Transaction.</b> None is joined: each call is durable when it returns.
 *
 * <p><b>Not promised.</b> That reports only rise: a group that was reset reports a lower position.
 */
public interface ConsumerGroups {

    /** Makes a group known unless it is. @return the group as it is now */
    ConsumerGroup register(String group, String stream);

    /**
     * Stores where a registered group starts, unless that was stored before.
     *
     * @return the group as it is now
     * @throws io.holdfast.PermanentException if the group is not registered
     */
    ConsumerGroup storeStart(String group, String stream, StreamPosition start);

    /**
     * Stores how far a group has come.
     *
     * @return false if the group is not registered, or was removed, or has not started; then nothing is stored
     */
    boolean report(String group, String stream, StreamPosition reached);

    /** All groups, by name and stream. */
    List<ConsumerGroup> findAll();

    /**
     * Forgets a group in all of its streams. If it still reads, it may find that what it needs is gone, and stops loudly.
     *
     * @return false if it is not known
     */
    boolean remove(String group);
}

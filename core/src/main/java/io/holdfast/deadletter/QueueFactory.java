package io.holdfast.deadletter;

/** Computes the settings of each queue from its name. */
@FunctionalInterface
public interface QueueFactory {

    /**
     * @param queue {@code DeadLetterQueue[processor][component]}
     * @param configured the settings that the configuration yields for the queue
     */
    QueueSettings settings(String queue, QueueSettings configured);
}

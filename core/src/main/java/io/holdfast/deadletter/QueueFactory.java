package io.holdfast.deadletter;

/** Makes the settings of each queue by its name. */
@FunctionalInterface
public interface QueueFactory {

    /**
     * @param queue {@code DeadLetterQueue[processor][component]}
     * @param said what the configuration says of it
     */
    QueueSettings settings(String queue, QueueSettings said);
}

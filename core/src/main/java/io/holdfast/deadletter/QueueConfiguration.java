package io.holdfast.deadletter;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Configures the dead-letter queues of a service, a processor or a component. A narrower configuration inherits what it
 * does not set from the next wider one, and finally from {@link QueueSettings#DEFAULT}.
 *
 * <p>Not thread-safe.
 */
public final class QueueConfiguration {

    private UnaryOperator<QueueSettings> changes = settings -> settings;
    private @Nullable QueueFactory factory;

    public QueueConfiguration enabled() {
        return change(it -> new QueueSettings(true, it.limits(), it.cacheSize(), it.policy()));
    }

    /**
     * Disables the queue: an event that would become PENDING blocks its segment instead, and the failure is reported.
     */
    public QueueConfiguration disabled() {
        return change(it -> new QueueSettings(false, it.limits(), it.cacheSize(), it.policy()));
    }

    /** Sets the maximum number of PENDING sequences. */
    public QueueConfiguration maxSequences(int limit) {
        return limits(it -> new QueueLimits(limit, it.maxSequenceSize(), it.maxWaiting()));
    }

    /** Sets the maximum number of letters in a sequence. */
    public QueueConfiguration maxSequenceSize(int limit) {
        return limits(it -> new QueueLimits(it.maxSequences(), limit, it.maxWaiting()));
    }

    /** Sets the maximum number of RETRYING and HELD sequences. */
    public QueueConfiguration maxWaiting(int limit) {
        return limits(it -> new QueueLimits(it.maxSequences(), it.maxSequenceSize(), limit));
    }

    /** Sets how many PENDING sequences each segment caches in memory; 0 disables the cache. */
    public QueueConfiguration cacheSize(int sequences) {
        return change(it -> new QueueSettings(it.enabled(), it.limits(), sequences, it.policy()));
    }

    /** Sets the policy that decides whether a failed event is parked. */
    public QueueConfiguration enqueuePolicy(EnqueuePolicy policy) {
        return change(it -> new QueueSettings(it.enabled(), it.limits(), it.cacheSize(), policy));
    }

    /** Sets a factory that computes the settings of each queue from those configured here. */
    public QueueConfiguration factory(QueueFactory newFactory) {
        this.factory = newFactory;
        return this;
    }

    /** Returns the settings of a queue, given those of the next wider configuration. */
    public QueueSettings resolve(String queue, QueueSettings wider) {
        QueueSettings configured = changes.apply(wider);
        return factory == null ? configured : factory.settings(queue, configured);
    }

    private QueueConfiguration limits(UnaryOperator<QueueLimits> limits) {
        return change(it -> new QueueSettings(it.enabled(), limits.apply(it.limits()), it.cacheSize(), it.policy()));
    }

    private QueueConfiguration change(UnaryOperator<QueueSettings> change) {
        UnaryOperator<QueueSettings> before = changes;
        changes = settings -> change.apply(before.apply(settings));
        return this;
    }

    /** Computes the settings of each queue from its name. */
    @FunctionalInterface
    public interface QueueFactory {

        /**
         * @param queue {@code DeadLetterQueue[processor][component]}
         * @param configured the settings that the configuration yields for the queue
         */
        QueueSettings settings(String queue, QueueSettings configured);
    }
}

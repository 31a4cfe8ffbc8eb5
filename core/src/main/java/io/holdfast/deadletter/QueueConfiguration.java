package io.holdfast.deadletter;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is said about queues, for all of a service, for those of a processor or for that of one component: what the nearest
 * does not say is taken from the next wider one, and then from {@link QueueSettings#DEFAULT}.
 *
 * <p>For one thread.
 */
public final class QueueConfiguration {

    private UnaryOperator<QueueSettings> changes = settings -> settings;
    private @Nullable QueueFactory factory;

    public QueueConfiguration enabled() {
        return change(it -> new QueueSettings(true, it.limits(), it.cacheSize(), it.policy()));
    }

    /** What would wait for a person holds its segment instead, loudly. */
    public QueueConfiguration disabled() {
        return change(it -> new QueueSettings(false, it.limits(), it.cacheSize(), it.policy()));
    }

    /** How many sequences may wait for a person. */
    public QueueConfiguration maxSequences(int most) {
        return limits(it -> new QueueLimits(most, it.maxSequenceSize(), it.maxWaiting()));
    }

    /** How many letters a sequence may have. */
    public QueueConfiguration maxSequenceSize(int most) {
        return limits(it -> new QueueLimits(it.maxSequences(), most, it.maxWaiting()));
    }

    /** How many sequences may wait for another attempt, or for a breaker. */
    public QueueConfiguration maxWaiting(int most) {
        return limits(it -> new QueueLimits(it.maxSequences(), it.maxSequenceSize(), most));
    }

    /** How many sequences that wait for a person are known in memory, for each segment; 0 for none. */
    public QueueConfiguration cacheSize(int sequences) {
        return change(it -> new QueueSettings(it.enabled(), it.limits(), sequences, it.policy()));
    }

    /** What becomes of an event that could not be handled. */
    public QueueConfiguration enqueuePolicy(EnqueuePolicy policy) {
        return change(it -> new QueueSettings(it.enabled(), it.limits(), it.cacheSize(), policy));
    }

    /** Asked for each queue, with what else is said about it. */
    public QueueConfiguration factory(QueueFactory newFactory) {
        this.factory = newFactory;
        return this;
    }

    /** The settings of a queue, given those of the next wider configuration. */
    public QueueSettings resolve(String queue, QueueSettings wider) {
        QueueSettings said = changes.apply(wider);
        return factory == null ? said : factory.settings(queue, said);
    }

    private QueueConfiguration limits(UnaryOperator<QueueLimits> limits) {
        return change(it -> new QueueSettings(it.enabled(), limits.apply(it.limits()), it.cacheSize(), it.policy()));
    }

    private QueueConfiguration change(UnaryOperator<QueueSettings> change) {
        UnaryOperator<QueueSettings> before = changes;
        changes = settings -> change.apply(before.apply(settings));
        return this;
    }
}

package io.holdfast.spring;

import io.holdfast.resilience.CircuitBreakerOverrides;
import io.holdfast.resilience.CircuitBreakerSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.resilience.RetrySettings;
import io.holdfast.resilience.SlidingWindowType;
import io.holdfast.wire.RecordSigning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What a service says by {@code framework.*}. Each default is that of the core; a test compares them.
 *
 * @param store where the durable state of the service is kept
 * @param outbox how events are published
 * @param dlq how what fails is parked
 * @param idempotency how work without a position is recognised when it comes again
 * @param resilience how failures are retried and breakers open
 * @param processors what processors have different, by their names
 * @param wire how events travel between services
 * @param hazelcast the shared cluster
 * @param h2 the file that is used if there is no DataSource
 */
@ConfigurationProperties("framework")
public record HoldfastProperties(
        @DefaultValue("jdbc") StoreKind store,
        @DefaultValue Outbox outbox,
        @DefaultValue Dlq dlq,
        @DefaultValue Idempotency idempotency,
        @DefaultValue Resilience resilience,
        @DefaultValue Map<String, Processor> processors,
        @DefaultValue Wire wire,
        @DefaultValue Hazelcast hazelcast,
        @DefaultValue H2 h2) {

    /**
     * How events are published.
     *
     * @param enabled whether events wait for a wire that is down; if not, each is published once after its commit, and readers ask for what they miss
     * @param pollInterval how often to look for events if a signal was missed; a plain number is milliseconds
     * @param maxBatchSize how many events are published together at most
     * @param maxRetries how often an event is tried again that is at fault itself; an outage does not count
     * @param entryTtl how long delivered entries of row-keeping services stay at least
     */
    public record Outbox(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("500") int maxBatchSize,
            @DefaultValue("5") int maxRetries,
            @DefaultValue("24h") Duration entryTtl) {}

    /**
     * How what fails is parked.
     *
     * @param enabled whether failed events are parked for a person; if not, they hold their segment, loudly
     * @param maxSequences how many sequences may wait for a person, in each queue
     * @param maxSequenceSize how many letters a sequence may have
     * @param maxWaiting how many sequences may wait for another attempt, or for a breaker, in each queue
     * @param store what keeps letters, as framework.store unless set; jpa: entities of the service's persistence unit
     */
    public record Dlq(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1024") int maxSequences,
            @DefaultValue("1024") int maxSequenceSize,
            @DefaultValue("100000") int maxWaiting,
            @Nullable LetterStoreKind store) {}

    /**
     * How work without a position is recognised when it comes again.
     *
     * @param enabled whether work is recognised that came before; if not, it runs whenever it comes
     * @param ttl how long it is remembered that work is done
     * @param lease how long a process that died keeps others from its work; renewed while the work runs
     */
    public record Idempotency(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1h") Duration ttl,
            @DefaultValue("30s") Duration lease) {}

    /**
     * How failures are retried and breakers open.
     *
     * @param enabled whether operations are retried and guarded; if not, they are called directly
     * @param circuitBreaker what every breaker has unless it has its own
     * @param retry what every retry has unless it has its own
     * @param maxHold how long an open breaker may hold an event before that is a person's turn
     * @param instances by the name of the operation, what it has different
     */
    public record Resilience(
            @DefaultValue("true") boolean enabled,
            @DefaultValue CircuitBreaker circuitBreaker,
            @DefaultValue Retry retry,
            @DefaultValue("15m") Duration maxHold,
            @DefaultValue Map<String, Instance> instances) {}

    /**
     * When a circuit breaker opens and closes.
     *
     * @param failureRateThreshold the share of failed calls, in percent, at which it opens
     * @param waitDurationInOpenState how long it stays open before it lets calls try
     * @param slidingWindowSize how many calls, or seconds, it looks at
     * @param slidingWindowType what the size counts
     * @param minimumNumberOfCalls how many calls it must have seen before it opens
     * @param permittedNumberOfCallsInHalfOpenState how many calls may try, and decide whether it closes
     * @param recordNonRetryable whether final failures, such as business errors, count against it
     */
    public record CircuitBreaker(
            @DefaultValue("50") double failureRateThreshold,
            @DefaultValue("10s") Duration waitDurationInOpenState,
            @DefaultValue("10") int slidingWindowSize,
            @DefaultValue("count_based") SlidingWindowType slidingWindowType,
            @DefaultValue("5") int minimumNumberOfCalls,
            @DefaultValue("3") int permittedNumberOfCallsInHalfOpenState,
            @DefaultValue("false") boolean recordNonRetryable) {

        CircuitBreakerSettings settings() {
            return new CircuitBreakerSettings(
                    failureRateThreshold,
                    waitDurationInOpenState,
                    slidingWindowSize,
                    slidingWindowType,
                    minimumNumberOfCalls,
                    permittedNumberOfCallsInHalfOpenState,
                    recordNonRetryable);
        }
    }

    /**
     * How often and when an operation is tried again.
     *
     * @param maxAttempts how often it is called at most, the first time included
     * @param waitDuration how long to wait after the first failure
     * @param enableExponentialBackoff whether each further wait is longer than the one before
     * @param exponentialBackoffMultiplier by how much waits grow, up to an hour
     * @param jitter each wait is up to this share longer or shorter, so that many do not come back at once
     */
    public record Retry(
            @DefaultValue("3") int maxAttempts,
            @DefaultValue("500ms") Duration waitDuration,
            @DefaultValue("true") boolean enableExponentialBackoff,
            @DefaultValue("2.0") double exponentialBackoffMultiplier,
            @DefaultValue("0.2") double jitter) {

        RetrySettings settings() {
            return new RetrySettings(
                    maxAttempts, waitDuration, enableExponentialBackoff, exponentialBackoffMultiplier, jitter);
        }
    }

    /**
     * When one operation's breaker opens and closes; what is not set it inherits.
     *
     * @param failureRateThreshold the share of failed calls, in percent, at which it opens
     * @param waitDurationInOpenState how long it stays open before it lets calls try
     * @param slidingWindowSize how many calls, or seconds, it looks at
     * @param slidingWindowType what the size counts
     * @param minimumNumberOfCalls how many calls it must have seen before it opens
     * @param permittedNumberOfCallsInHalfOpenState how many calls may try, and decide whether it closes
     * @param recordNonRetryable whether final failures, such as business errors, count against it
     */
    public record InstanceBreaker(
            @Nullable Double failureRateThreshold,
            @Nullable Duration waitDurationInOpenState,
            @Nullable Integer slidingWindowSize,
            @Nullable SlidingWindowType slidingWindowType,
            @Nullable Integer minimumNumberOfCalls,
            @Nullable Integer permittedNumberOfCallsInHalfOpenState,
            @Nullable Boolean recordNonRetryable) {

        CircuitBreakerOverrides overrides() {
            return new CircuitBreakerOverrides(
                    failureRateThreshold,
                    waitDurationInOpenState,
                    slidingWindowSize,
                    slidingWindowType,
                    minimumNumberOfCalls,
                    permittedNumberOfCallsInHalfOpenState,
                    recordNonRetryable);
        }
    }

    /**
     * How often and when one operation is tried again; what is not set it inherits.
     *
     * @param maxAttempts how often it is called at most, the first time included
     * @param waitDuration how long to wait after the first failure
     * @param enableExponentialBackoff whether each further wait is longer than the one before
     * @param exponentialBackoffMultiplier by how much
     * @param jitter each wait is up to this share longer or shorter, so that many do not come back at once
     */
    public record InstanceRetry(
            @Nullable Integer maxAttempts,
            @Nullable Duration waitDuration,
            @Nullable Boolean enableExponentialBackoff,
            @Nullable Double exponentialBackoffMultiplier,
            @Nullable Double jitter) {

        RetryOverrides overrides() {
            return new RetryOverrides(
                    maxAttempts, waitDuration, enableExponentialBackoff, exponentialBackoffMultiplier, jitter);
        }
    }

    /**
     * What one operation has different.
     *
     * @param circuitBreaker when its breaker opens and closes
     * @param retry how often and when it is tried again
     */
    public record Instance(@DefaultValue InstanceBreaker circuitBreaker, @DefaultValue InstanceRetry retry) {}

    /**
     * What one processor has different; what is not set is as its code says, or the default.
     *
     * @param segments how many shares its events have when it starts for the first time
     * @param batchSize how many events of a segment are handled and committed together at most
     * @param start where it starts in a stream that it has never read: beginning, now or a time such as 2026-01-31T12:00:00Z;
     *     to be set if a component calls outside
     * @param handlerTimeout how long a handler may take before it shows, and an asynchronous one is given up
     * @param dlq how what fails is parked
     */
    public record Processor(
            @Nullable Integer segments,
            @Nullable Integer batchSize,
            @Nullable String start,
            @Nullable Duration handlerTimeout,
            @DefaultValue ProcessorDlq dlq) {}

    /**
     * How what fails in one processor is parked.
     *
     * @param enabled whether failed events are parked for a person; as framework.dlq.enabled unless set
     * @param cache what is known in memory
     */
    public record ProcessorDlq(@Nullable Boolean enabled, @DefaultValue Cache cache) {}

    /** @param size how many sequences of a segment that wait for a person are known in memory; 0 for none */
    public record Cache(@Nullable Integer size) {}

    /**
     * How events travel between services.
     *
     * @param topics whether each event is mirrored to the topic named after its type, for monitors
     * @param maxEventSize how large an event may be; larger ones are refused when they are appended
     * @param signing whether records are signed, and whether unsigned ones are taken
     * @param signingKey the secret that signs, at least 16 bytes, optionally after a name and a colon; further keys, behind
     *     commas, are only verified with
     */
    public record Wire(
            @DefaultValue("false") boolean topics,
            @DefaultValue("256KB") DataSize maxEventSize,
            @DefaultValue("off") RecordSigning.Mode signing,
            @Nullable String signingKey) {}

    /**
     * The shared cluster.
     *
     * @param members addresses of the shared cluster, also if there is a HazelcastInstance bean; without them that bean or the
     *     embedded member is it
     * @param clusterName the name of the shared cluster
     */
    public record Hazelcast(@DefaultValue List<String> members, @DefaultValue("holdfast") String clusterName) {}

    /** @param directory where the H2 file of the service is, if there is no DataSource */
    public record H2(@DefaultValue("data") String directory) {}
}

package io.holdfast.spring.properties;

import io.holdfast.PermanentException;
import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.resilience.CircuitBreakerOverrides;
import io.holdfast.resilience.CircuitBreakerSettings;
import io.holdfast.resilience.InstanceOverrides;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.resilience.RetrySettings;
import io.holdfast.resilience.SlidingWindowType;
import io.holdfast.wire.RecordSigning;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code framework.*} of a service. Defaults equal those of the core; a test compares them. Groups of
 * properties convert themselves to the settings of the core, which validate their values.
 *
 * @param serviceVersion the version of the service, named in definitions and causes to tell two versions apart; by
 *     default the artifact's version
 * @param store where the durable state of the service is stored
 * @param jdbc connections to the database
 * @param commands execution of commands
 * @param outbox publishing of events
 * @param dlq parking of failed events
 * @param operations actions of operators, and their receipts
 * @param idempotency deduplication of work that has no position
 * @param resilience retries and circuit breakers
 * @param handlers threads of the handlers
 * @param processors settings of single processors, by name
 * @param wire transport of events between services
 * @param hazelcast the shared cluster
 * @param h2 the embedded file that is used if there is no DataSource
 */
@ConfigurationProperties("framework")
public record HoldfastProperties(
        @Nullable String serviceVersion,
        @DefaultValue("jdbc") StoreKind store,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Commands commands,
        @DefaultValue Outbox outbox,
        @DefaultValue Dlq dlq,
        @DefaultValue Operations operations,
        @DefaultValue Idempotency idempotency,
        @DefaultValue Resilience resilience,
        @DefaultValue Handlers handlers,
        @DefaultValue Map<String, Processor> processors,
        @DefaultValue Wire wire,
        @DefaultValue Hazelcast hazelcast,
        @DefaultValue H2 h2) {

    /**
     * Connections to the database.
     *
     * @param networkTimeout how long a connection of the engine waits for a response; after that it is lost
     */
    public record Jdbc(@DefaultValue("10s") Duration networkTimeout) {}

    /**
     * Execution of commands.
     *
     * @param timeout how long a caller waits for a command; after that its outcome is unknown
     */
    public record Commands(@DefaultValue("30s") Duration timeout) {}

    /**
     * Actions of operators, and their receipts.
     *
     * @param receiptTtl how long a receipt is kept after the request; one with open items is never deleted
     * @param requireReason whether every write of an operator requires a reason
     */
    public record Operations(@DefaultValue("90d") Duration receiptTtl, @DefaultValue("false") boolean requireReason) {}

    /**
     * Publishing of events.
     *
     * @param enabled whether events wait while the wire is down; if not, each event is published once after its commit,
     *     and readers pull what they miss
     * @param pollInterval interval of the fallback polling, in case a signal is missed; a plain number is milliseconds
     * @param maxBatchSize maximum events per published batch
     * @param maxRetries retries for an event that is itself at fault; an outage does not count
     * @param entryTtl minimum retention of delivered entries of outbox streams
     */
    public record Outbox(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("500") int maxBatchSize,
            @DefaultValue("5") int maxRetries,
            @DefaultValue("24h") Duration entryTtl) {

        public OutboxSettings settings() {
            return new OutboxSettings(maxBatchSize, pollInterval, maxRetries, enabled);
        }
    }

    /**
     * Parking of failed events.
     *
     * @param enabled whether a failed event may become PENDING; if not, it blocks its segment and reports an error
     * @param maxSequences maximum PENDING sequences per queue
     * @param maxSequenceSize maximum letters per sequence
     * @param maxWaiting maximum RETRYING and HELD sequences per queue
     * @param entryTtl how long replayed and discarded entries are kept
     * @param maxReplayAttempts how many replays of a letter by operators may fail; then only a forced one is accepted
     * @param store where letters are stored; by default as framework.store. jpa: as entities of the service's
     *     persistence unit
     */
    public record Dlq(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1024") int maxSequences,
            @DefaultValue("1024") int maxSequenceSize,
            @DefaultValue("100000") int maxWaiting,
            @DefaultValue("168h") Duration entryTtl,
            @DefaultValue("3") int maxReplayAttempts,
            @Nullable LetterStoreKind store) {}

    /**
     * Deduplication of work that has no position.
     *
     * @param enabled whether repeated work is deduplicated; if not, it runs every time
     * @param ttl how long completed work is remembered
     * @param lease how long a crashed process blocks its work for others; renewed while the work runs
     */
    public record Idempotency(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1h") Duration ttl,
            @DefaultValue("30s") Duration lease) {

        public IdempotencySettings settings() {
            return new IdempotencySettings(enabled, ttl, lease);
        }
    }

    /**
     * Retries and circuit breakers.
     *
     * @param enabled whether operations have retry and circuit breaker; if not, they are called directly
     * @param circuitBreaker defaults for all circuit breakers
     * @param retry defaults for all retries
     * @param maxHold maximum time an event stays HELD; after that it becomes PENDING and needs an operator
     * @param instances settings of single operations, by name
     */
    public record Resilience(
            @DefaultValue("true") boolean enabled,
            @DefaultValue CircuitBreaker circuitBreaker,
            @DefaultValue Retry retry,
            @DefaultValue("15m") Duration maxHold,
            @DefaultValue Map<String, Instance> instances) {

        public ResilienceSettings settings() {
            Map<String, InstanceOverrides> overrides = new LinkedHashMap<>();
            instances.forEach((name, instance) -> overrides.put(name, instance.overrides()));
            return new ResilienceSettings(enabled, circuitBreaker.settings(), retry.settings(), maxHold, overrides);
        }
    }

    /**
     * Settings of circuit breakers.
     *
     * @param failureRateThreshold failure rate in percent at which the breaker opens
     * @param waitDurationInOpenState time in open state before trial calls are permitted
     * @param slidingWindowSize size of the sliding window, in calls or seconds
     * @param slidingWindowType unit of the window size
     * @param minimumNumberOfCalls calls required before the breaker can open
     * @param permittedNumberOfCallsInHalfOpenState trial calls that decide whether the breaker closes
     * @param recordNonRetryable whether business errors and other final failures count against the breaker
     * @param slowCallDurationThreshold duration above which a call is slow; 0 if slow calls do not count
     * @param slowCallRateThreshold rate of slow calls in percent at which the breaker opens
     */
    public record CircuitBreaker(
            @DefaultValue("50") double failureRateThreshold,
            @DefaultValue("10s") Duration waitDurationInOpenState,
            @DefaultValue("10") int slidingWindowSize,
            @DefaultValue("count_based") SlidingWindowType slidingWindowType,
            @DefaultValue("5") int minimumNumberOfCalls,
            @DefaultValue("3") int permittedNumberOfCallsInHalfOpenState,
            @DefaultValue("false") boolean recordNonRetryable,
            @DefaultValue("0s") Duration slowCallDurationThreshold,
            @DefaultValue("100") double slowCallRateThreshold) {

        CircuitBreakerSettings settings() {
            return new CircuitBreakerSettings(
                    failureRateThreshold,
                    waitDurationInOpenState,
                    slidingWindowSize,
                    slidingWindowType,
                    minimumNumberOfCalls,
                    permittedNumberOfCallsInHalfOpenState,
                    recordNonRetryable,
                    slowCallDurationThreshold,
                    slowCallRateThreshold);
        }
    }

    /**
     * Settings of retries.
     *
     * @param maxAttempts maximum attempts, including the first
     * @param waitDuration backoff after the first failure
     * @param enableExponentialBackoff whether each backoff is longer than the previous one
     * @param exponentialBackoffMultiplier growth factor of the backoff, up to one hour
     * @param jitter random share by which a backoff is shortened or extended, so that retries do not arrive together
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
     * Settings of one operation; unset values are inherited.
     *
     * @param circuitBreaker settings of its circuit breaker
     * @param retry settings of its retries
     */
    public record Instance(@DefaultValue CircuitBreakerOverrides circuitBreaker, @DefaultValue RetryOverrides retry) {

        InstanceOverrides overrides() {
            return new InstanceOverrides(circuitBreaker, retry);
        }
    }

    /**
     * Threads of the handlers.
     *
     * @param threads threads for synchronous handlers, at least one per processor; shared fairly between processors
     */
    public record Handlers(@DefaultValue("8") int threads) {}

    /**
     * Settings of one processor; unset values are those of its code, or the defaults.
     *
     * @param segments number of segments when the processor starts for the first time
     * @param batchSize maximum events of a segment that are handled and committed together
     * @param start start position in a stream that the processor has never read: beginning, now or a time such as
     *     2026-01-31T12:00:00Z; required if a component calls external systems
     * @param handlerTimeout time after which a handler is reported; an asynchronous one is then parked
     * @param commitInterval shortest time between two commits of a segment
     * @param retires components that this version no longer has: once no replica has them, they get no further events,
     *     and letters that only waited for them are resolved
     * @param dlq parking of failed events
     */
    public record Processor(
            @Nullable Integer segments,
            @Nullable Integer batchSize,
            @Nullable String start,
            @Nullable Duration handlerTimeout,
            @Nullable Duration commitInterval,
            @DefaultValue List<String> retires,
            @DefaultValue ProcessorDlq dlq) {

        /** @throws PermanentException if the start is neither a keyword nor a time */
        public Optional<StartAt> startAt() {
            return Optional.ofNullable(start).map(ProcessorStart::parse);
        }
    }

    /**
     * Parking of the failed events of one processor.
     *
     * @param enabled whether a failed event may become PENDING; by default as framework.dlq.enabled
     * @param cache the cache of PENDING sequences
     */
    public record ProcessorDlq(@Nullable Boolean enabled, @DefaultValue Cache cache) {}

    /** @param size PENDING sequences cached per segment; 0 for none */
    public record Cache(@Nullable Integer size) {}

    /**
     * Transport of events between services.
     *
     * @param topics whether each event is mirrored to a topic named after its type, for monitoring
     * @param maxEventSize maximum event size; larger events are rejected at append
     * @param signing whether records are signed, and whether unsigned ones are accepted
     * @param signingKey signing secret of at least 16 bytes, optionally preceded by a key id and a colon; further keys,
     *     separated by commas, only verify
     */
    public record Wire(
            @DefaultValue("false") boolean topics,
            @DefaultValue("256KB") DataSize maxEventSize,
            @DefaultValue("off") RecordSigning.Mode signing,
            @Nullable String signingKey) {

        /** @throws PermanentException if signing is enabled without a valid key; never contains a secret */
        public RecordSigning recordSigning() {
            return SigningKeys.signing(this);
        }
    }

    /**
     * The shared cluster.
     *
     * @param members addresses of the shared cluster; takes precedence over a HazelcastInstance bean. If empty, that
     *     bean or an embedded member is the shared cluster
     * @param clusterName name of the shared cluster
     */
    public record Hazelcast(@DefaultValue List<String> members, @DefaultValue("holdfast") String clusterName) {}

    /** @param directory directory of the service's H2 file, if there is no DataSource */
    public record H2(@DefaultValue(H2.DEFAULT_DIRECTORY) String directory) {

        /** Relative to the working directory. */
        public static final String DEFAULT_DIRECTORY = "data";
    }
}

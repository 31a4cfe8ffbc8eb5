package io.holdfast.outbox;

import io.holdfast.PermanentException;
import java.time.Duration;

/**
 * Configures how events are published.
 *
 * @param batch the maximum number of events that are published together
 * @param pollInterval how often the publisher polls for events whose signal was missed
 * @param maxRetries the number of retries for an event that the wire cannot carry; an outage does not count
 * @param retried whether events wait while the wire is down and are published when it is up again. If not, each is
 *     published once, after its commit; readers detect missing events by the chain of positions and pull them from
 *     this service.
 */
public record OutboxSettings(int batch, Duration pollInterval, int maxRetries, boolean retried) {

    public static final int DEFAULT_BATCH = 500;
    public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);
    public static final int DEFAULT_MAX_RETRIES = 5;
    public static final boolean DEFAULT_RETRIED = true;

    public static final OutboxSettings DEFAULT =
            new OutboxSettings(DEFAULT_BATCH, DEFAULT_POLL_INTERVAL, DEFAULT_MAX_RETRIES, DEFAULT_RETRIED);

    public OutboxSettings {
        if (batch < 1 || maxRetries < 0 || pollInterval.isNegative() || pollInterval.isZero()) {
            throw new PermanentException(
                    "the publisher needs a batch size of 1 or more, retries of 0 or more and a poll"
                            + " interval above 0, but has " + batch + ", " + maxRetries + " and " + pollInterval);
        }
    }

    public OutboxSettings batch(int events) {
        return new OutboxSettings(events, pollInterval, maxRetries, retried);
    }

    public OutboxSettings retried(boolean isRetried) {
        return new OutboxSettings(batch, pollInterval, maxRetries, isRetried);
    }
}

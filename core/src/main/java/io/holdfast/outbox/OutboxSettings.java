package io.holdfast.outbox;

import io.holdfast.PermanentException;
import java.time.Duration;

/**
 * How events are published.
 *
 * @param batch how many are published together at most
 * @param pollInterval how often to look for events if a signal was missed
 * @param maxRetries how often an event is tried again that is at fault itself; an outage does not count
 * @param retried whether events wait for a wire that is down, and are published when it is up again. If not, each is published once,
 *     after its commit; readers notice what is missing by the chain of positions and ask this service for it
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
            throw new PermanentException("the publisher needs a batch of 1 or more, retries of 0 or more and a poll"
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

package io.holdfast.commit.group;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the committer is stalled: it has been busy with the same batch for the whole timeout, because a
 * connection is dead, the store hangs, or a decision does not return. It remains stalled until the store has responded
 * again. One thread calls {@link #begin} and {@link #end}, one {@link #check}; everything else is thread-safe.
 */
final class CommitterWatchdog {

    /** The timeout is counted in checks: if the whole process was paused, it did not elapse meanwhile. */
    private static final int CHECKS = 10;

    private final String service;
    private final Duration timeout;
    private volatile @Nullable Batch running;
    private volatile @Nullable Batch stalled;
    private long begun;
    private long observed;
    private int checks;

    CommitterWatchdog(String service, Duration timeout) {
        this.service = service;
        this.timeout = timeout;
    }

    void begin(List<PendingUnit> units) {
        running = new Batch(++begun, units, System.nanoTime());
    }

    void end() {
        running = null;
    }

    /**
     * Observes the batch in progress. Call it at the {@link #checkInterval}.
     *
     * @return the batch if it has just turned out to be stalled
     */
    Optional<Batch> check() {
        Batch batch = running;
        long number = batch == null ? 0 : batch.number();
        checks = number != 0 && number == observed ? checks + 1 : 0;
        observed = number;
        if (checks != CHECKS) {
            return Optional.empty();
        }
        stalled = batch;
        return Optional.ofNullable(batch);
    }

    Duration checkInterval() {
        return timeout.dividedBy(CHECKS);
    }

    boolean isStalled() {
        return stalled != null;
    }

    /** Records that the store responds again. */
    void recovered() {
        stalled = null;
    }

    Optional<String> problem() {
        return Optional.ofNullable(stalled)
                .map(batch -> "the committer of " + service + " has made no progress for "
                        + batch.age().toSeconds() + " s: the store hangs, or a decision does not return. Until it"
                        + " continues, commands are refused, and other replicas take over the segments of this one");
    }

    /** Units that are being committed. */
    record Batch(long number, List<PendingUnit> units, long startNanos) {

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - startNanos);
        }
    }
}

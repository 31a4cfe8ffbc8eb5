package io.holdfast.failover.witness;

import io.holdfast.RetryableException;
import io.holdfast.failover.LogTail;
import io.holdfast.failover.TailLoss;
import io.holdfast.failover.TailLostException;
import io.holdfast.failover.Witnessed;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the log with what this process has seen, every second and before every commit. If the log has lost its tail,
 * starts a new epoch before anything is appended, and drops everything that this process has derived from lost events.
 * Thread-safe.
 */
public final class TailRecovery {

    private static final Logger log = LoggerFactory.getLogger(TailRecovery.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final String service;
    private final LogTail tail;
    private final LogWitness witness;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public TailRecovery(String service, LogTail tail, LogWitness witness) {
        this.service = service;
        this.tail = tail;
        this.witness = witness;
    }

    public LogWitness witness() {
        return witness;
    }

    /** Registers a short, non-blocking call that drops what is derived from the log. */
    public void onLoss(Runnable listener) {
        listeners.add(listener);
    }

    /** Checks the log on its own thread until the worker is closed, because an idle service commits nothing. */
    public Worker start() {
        return Worker.start("holdfast-log-check-" + service, this::step);
    }

    /** @return the time until the next check */
    public Duration step() {
        try {
            Witnessed witnessed = witness.witnessedWithReads();
            witness.check(witnessed, tail.readHead(witnessed));
        } catch (TailLostException e) {
            recover();
        } catch (RetryableException e) {
            log.debug("The log of {} cannot be checked now: {}", service, e.getMessage());
        }
        return CHECK_INTERVAL;
    }

    /**
     * Starts a new epoch if the log has lost events, and drops what this process has derived from them. Does nothing if
     * nothing was lost. Call it without any open transaction: it locks the head.
     *
     * @throws RetryableException if the store is unavailable
     */
    public synchronized void recover() {
        tail.startEpochAfterLoss(witness.verified(), witness.witnessedWithReads())
                .ifPresent(loss -> {
                    witness.forget(loss);
                    report(loss);
                    listeners.forEach(Runnable::run);
                });
    }

    private void report(TailLoss loss) {
        if (loss.lost().isEmpty()) {
            log.error(
                    "The database of {} has lost its newest commits, none of which contained an event that this process"
                            + " has seen: it failed over to a standby without them, or was restored from a backup. What"
                            + " was lost is processed again",
                    service);
        } else {
            log.error(
                    "The log of {} has lost at least {} events from position {} on: its database failed over to a standby"
                            + " without them, or was restored from a backup. The log is unchanged up to position {}, where"
                            + " epoch {} starts. Cached states, tokens and the publisher's position are loaded again;"
                            + " readers of other services that had read lost events stop until an operator accepts it",
                    service,
                    loss.lost().size(),
                    loss.lost().get(0).position(),
                    loss.commonPosition(),
                    loss.epoch().number());
        }
    }
}

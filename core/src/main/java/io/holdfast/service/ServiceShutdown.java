package io.holdfast.service;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts of a service one after the other, on a thread that nobody interrupts. A database that stands still keeps
 * nobody waiting for longer than the patience: what has not ended by then is left behind as by a crash.
 */
final class ServiceShutdown {

    /** More than what the parts themselves wait for. */
    static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(ServiceShutdown.class);

    private ServiceShutdown() {}

    static void run(String service, List<AutoCloseable> parts, Duration patience) {
        Thread thread = new Thread(() -> parts.forEach(ServiceShutdown::close), "holdfast-closing-" + service);
        thread.setDaemon(true);
        thread.start();
        if (!awaitTermination(thread, patience)) {
            log.warn(
                    "Service {} has not come to an end within {}, the store or the wire stands still; what it was doing is"
                            + " left behind as by a crash, and its leases expire",
                    service,
                    patience);
        }
    }

    private static boolean awaitTermination(Thread thread, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        while (thread.isAlive() && System.nanoTime() < end) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, end - System.nanoTime());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt(); // for the caller, who was interrupted
        }
        return !thread.isAlive();
    }

    /** What cannot be closed must not keep the others open; a lease that is not given back expires. */
    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            log.warn("Closing goes on without {}: {}", part, e.toString());
        }
    }
}

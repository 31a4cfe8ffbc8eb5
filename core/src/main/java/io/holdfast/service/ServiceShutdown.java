package io.holdfast.service;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts of a service one after another, on a thread that is never interrupted. If the database hangs, the
 * caller waits at most for the timeout; parts that are not closed by then are abandoned, as in a crash.
 */
final class ServiceShutdown {

    /** Longer than the parts' own timeouts. */
    static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(ServiceShutdown.class);

    private ServiceShutdown() {}

    static void run(String service, List<AutoCloseable> parts, Duration timeout) {
        Thread thread = new Thread(() -> parts.forEach(ServiceShutdown::close), "holdfast-closing-" + service);
        thread.setDaemon(true);
        thread.start();
        if (!awaitTermination(thread, timeout)) {
            log.warn(
                    "Service {} did not shut down within {} because the store or the wire does not respond; unfinished"
                            + " work is abandoned as in a crash, and its leases expire",
                    service,
                    timeout);
        }
    }

    private static boolean awaitTermination(Thread thread, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        while (thread.isAlive() && System.nanoTime() < end) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, end - System.nanoTime());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt(); // the interrupt was meant for the caller
        }
        return !thread.isAlive();
    }

    /** A part that cannot be closed must not keep the others open; a lease that is not released expires. */
    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            log.warn("Closing {} failed, shutdown continues: {}", part, e.toString());
        }
    }
}

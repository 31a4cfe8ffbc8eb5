package io.holdfast.worker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a step repeatedly on its own thread: immediately when woken, otherwise after the delay that the step returned.
 *
 * <p>The thread is never interrupted, because an interrupt during a database call can close the database. If a step
 * throws an exception, the worker logs it and retries the step; an {@link Error} terminates the thread.
 */
public final class Worker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Worker.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final long intervalNanos;
    private final Step step;
    private final Thread thread;
    private volatile boolean woken;
    private volatile boolean closed;

    private Worker(String name, Duration interval, Step step) {
        this.intervalNanos = interval.toNanos();
        this.step = step;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public static Worker start(String name, Step step) {
        return start(name, Duration.ZERO, step);
    }

    /** @param interval the shortest time between the starts of two steps, also if the worker is woken */
    public static Worker start(String name, Duration interval, Step step) {
        Worker worker = new Worker(name, interval, step);
        worker.thread.start();
        return worker;
    }

    /** Runs the next step immediately, or after the interval. Cheap; may be called from any thread. */
    public void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    /** @return whether the caller runs on this worker's thread */
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** @return whether the thread has terminated, because it was closed or by an error */
    public boolean isTerminated() {
        return !thread.isAlive();
    }

    /** Returns where the thread is, one line per frame, to report why it does not continue. */
    public String stackTrace() {
        return Stream.of(thread.getStackTrace())
                .map(frame -> System.lineSeparator() + "\tat " + frame)
                .collect(Collectors.joining());
    }

    /** Stops after the running step, without waiting for it. */
    public void shutdown() {
        closed = true;
        wake();
    }

    /** Stops after the running step, and waits for it to finish. */
    @Override
    public void close() {
        shutdown();
        boolean interrupted = false;
        while (thread.isAlive() && !isCurrentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt(); // the interrupt was meant for the caller
        }
    }

    private void run() {
        while (!closed) {
            long started = System.nanoTime();
            woken = false;
            long delay = runStep().toNanos();
            pauseUntil(System.nanoTime() + delay, () -> woken);
            pauseUntil(started + intervalNanos, () -> false);
        }
    }

    private Duration runStep() {
        try {
            return step.run();
        } catch (Exception e) { // includes checked exceptions, which other JVM languages throw undeclared
            log.error("{} failed, retrying in {}", thread.getName(), RETRY_DELAY, e);
            return RETRY_DELAY;
        } catch (Error e) {
            log.error("{} was terminated by an error and does not recover; restart the process", thread.getName(), e);
            throw e;
        }
    }

    private void pauseUntil(long end, BooleanSupplier ended) {
        for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
            if (ended.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(this, left);
            Thread.interrupted(); // clear a stray interrupt, which would make parkNanos return immediately
        }
    }

    /** One iteration of a worker. */
    @FunctionalInterface
    public interface Step {

        /** @return the maximum delay before the next step unless woken; zero to continue immediately */
        Duration run();
    }
}

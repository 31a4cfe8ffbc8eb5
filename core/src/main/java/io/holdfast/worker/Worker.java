package io.holdfast.worker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs a step again and again, at once when woken, else after the time that the step asked for.
 *
 * <p>It is never interrupted: an interruption in the middle of a database call can close the database. An exception of a
 * step is logged and the step tried again; an {@link Error} ends the thread.
 */
public final class Worker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Worker.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Step step;
    private final Thread thread;
    private volatile boolean woken;
    private volatile boolean closed;

    private Worker(String name, Step step) {
        this.step = step;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public static Worker start(String name, Step step) {
        Worker worker = new Worker(name, step);
        worker.thread.start();
        return worker;
    }

    /** Makes the next step come at once. Cheap, from any thread. */
    public void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    /** Whether the caller is on this worker's thread. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Whether the thread has ended, by being closed or by an error. */
    public boolean isTerminated() {
        return !thread.isAlive();
    }

    /** Lets the running step be the last, and does not wait for it. */
    public void shutdown() {
        closed = true;
        wake();
    }

    /** Lets the running step end and waits for it. */
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
            Thread.currentThread().interrupt(); // for the caller, who was interrupted
        }
    }

    private void run() {
        while (!closed) {
            woken = false;
            pause(runStep());
        }
    }

    private Duration runStep() {
        try {
            return step.run();
        } catch (Exception e) { // a checked one too: other languages throw them without saying so
            log.error("{} failed and goes on in {}", thread.getName(), RETRY_DELAY, e);
            return RETRY_DELAY;
        } catch (Error e) {
            log.error("{} has ended by an error and does nothing more; restart the process", thread.getName(), e);
            throw e;
        }
    }

    private void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && !woken && !closed; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            Thread.interrupted(); // nobody has reason to interrupt it, and a set flag would make parking spin
        }
    }

    /** One round of work. */
    @FunctionalInterface
    public interface Step {

        /** @return how long to wait for a signal before the next round; zero to go on at once */
        Duration run();
    }
}

package io.holdfast.resilience;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits in real time. The JDK's shared timer thread schedules the tasks; the executor runs them. */
final class SystemRetryTimer implements RetryTimer {

    private final Executor executor;

    SystemRetryTimer(Executor executor) {
        this.executor = executor;
    }

    @Override
    public boolean pause(Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); left > 0; left = end - System.nanoTime()) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, left);
        }
        return !Thread.currentThread().isInterrupted();
    }

    @Override
    public void schedule(Duration wait, Runnable task) {
        CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS, executor)
                .execute(task);
    }
}

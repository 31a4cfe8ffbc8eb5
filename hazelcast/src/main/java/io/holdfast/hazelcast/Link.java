package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.ringbuffer.Ringbuffer;
import com.hazelcast.topic.ITopic;
import io.holdfast.wire.WireUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the connection to the cluster and repeats the preparations whenever it comes up. Every call to Hazelcast that
 * may block (it creates a proxy or sends a schema) runs on a thread of the link, never on a caller's. Thread-safe.
 */
final class Link implements AutoCloseable {

    /** Interval at which readers check their pending reads, and failed preparations are retried. */
    static final Duration TICK = Duration.ofMillis(500);

    static final int THREADS = 4;
    private static final Logger log = LoggerFactory.getLogger(Link.class);

    private final HazelcastInstance instance;
    private final boolean owned;
    private final RingSettings rings;
    private final Duration timeout;
    private final ThreadPoolExecutor io;
    private final ScheduledThreadPoolExecutor scheduler;
    private final List<Runnable> preparations = new CopyOnWriteArrayList<>();
    private final List<Runnable> whenUp = new CopyOnWriteArrayList<>();
    private final List<Runnable> whenClosing = new CopyOnWriteArrayList<>();
    private final List<Runnable> ticks = new CopyOnWriteArrayList<>();
    private @Nullable UUID listener;
    private volatile boolean up;
    private volatile boolean closed;
    private volatile @Nullable String loggedProblem;
    /** Increases with every change of the connection, so that a preparation which was overtaken does not count. */
    private long connectionChanges;

    private boolean preparing;

    Link(HazelcastInstance instance, boolean owned, RingSettings rings, Duration timeout) {
        this.instance = instance;
        this.owned = owned;
        this.rings = rings;
        this.timeout = timeout;
        ThreadFactory threads = daemonThreadFactory("holdfast-wire-" + instance.getName());
        this.io = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads, (work, pool) -> {
                    throw new RejectedExecutionException("the wire is closed");
                });
        io.allowCoreThreadTimeOut(true);
        this.scheduler =
                new ScheduledThreadPoolExecutor(1, daemonThreadFactory("holdfast-wire-clock-" + instance.getName()));
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    static ThreadFactory daemonThreadFactory(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Adds work that must succeed before the link is up. It runs again at every connection. */
    void addPreparation(Runnable preparation) {
        preparations.add(preparation);
    }

    void whenUp(Runnable work) {
        whenUp.add(work);
    }

    /** Adds work that runs when the link closes but the instance stays open. */
    void whenClosing(Runnable work) {
        whenClosing.add(work);
    }

    /** Adds short work that runs periodically while the link is up. */
    void everyTick(Runnable work) {
        ticks.add(work);
    }

    /** Starts the link. A member is up when this method returns. */
    void start() {
        listener = instance.getLifecycleService().addLifecycleListener(this::onLifecycleEvent);
        connect();
        var unused =
                scheduler.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    HazelcastInstance instance() {
        return instance;
    }

    boolean isUp() {
        return up;
    }

    Duration timeout() {
        return timeout;
    }

    RingSettings rings() {
        return rings;
    }

    Ringbuffer<GenericRecord> ring(String stream) {
        return instance.getRingbuffer(RingSettings.ringName(stream));
    }

    ITopic<GenericRecord> topic(String name) {
        return instance.getTopic(name);
    }

    /** Runs the work on a thread of the link, in no particular order. Does nothing once the link is closed. */
    void run(Runnable work) {
        try {
            io.execute(() -> attempt(work));
        } catch (RejectedExecutionException e) {
            log.debug("Work was not started: {}", e.getMessage());
        }
    }

    private void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            logFailure(e);
        }
    }

    /**
     * Logs an outage at DEBUG, because it needs no intervention. Warns about any other problem, but not at every tick.
     */
    private void logFailure(RuntimeException failure) {
        String problem = failure.toString();
        if (Failures.isOutage(failure)) {
            log.debug("The cluster is not reachable yet: {}", problem);
        } else if (!problem.equals(loggedProblem)) {
            loggedProblem = problem;
            log.warn("Connected to the cluster, but an operation failed; retrying automatically: {}", problem);
        }
    }

    void schedule(Duration delay, Runnable work) {
        try {
            var unused = scheduler.schedule(work, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            work.run(); // the wire is closed: no caller should wait for the delay
        }
    }

    /**
     * Starts an asynchronous call on a thread of the link. Hazelcast's own futures are not composed, because the JDK
     * would then see a member's response before it is decoded.
     */
    <T> CompletableFuture<T> call(Supplier<? extends CompletionStage<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            io.execute(() -> {
                try {
                    var unused = call.get().whenComplete((value, failure) -> complete(result, value, failure));
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new WireUnavailableException("the wire is closed"));
        }
        return result;
    }

    private static <T> void complete(CompletableFuture<T> result, T value, @Nullable Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }

    /** @throws WireUnavailableException if the call fails or exceeds the timeout */
    <T> T await(String what, CompletableFuture<T> result) {
        try {
            return result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new WireUnavailableException("cannot " + what + ": no response within " + timeout);
        } catch (ExecutionException e) {
            throw Failures.unavailable(what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // restores the caller's interrupt status
            throw new WireUnavailableException("cannot " + what + ": interrupted while waiting");
        }
    }

    private void onLifecycleEvent(LifecycleEvent event) {
        switch (event.getState()) {
            case CLIENT_CONNECTED, CLIENT_CHANGED_CLUSTER, MERGED -> {
                invalidate();
                run(this::connect);
            }
            case CLIENT_DISCONNECTED, SHUTTING_DOWN, SHUTDOWN -> invalidate();
            default -> log.debug("{}", event);
        }
    }

    private synchronized void invalidate() {
        up = false;
        connectionChanges++;
    }

    private void tick() {
        if (up) {
            ticks.forEach(this::run);
        } else if (!closed) {
            run(this::connect);
        }
    }

    private void connect() {
        long before = startPreparing();
        if (before < 0) {
            return; // preparing, up or closed already; the next tick checks again
        }
        boolean ready = false;
        try {
            rings.apply(instance);
            preparations.forEach(Runnable::run);
            ready = true;
        } catch (RuntimeException e) {
            logFailure(e);
        }
        if (finishPreparing(before, ready)) {
            whenUp.forEach(Runnable::run);
        }
    }

    private synchronized long startPreparing() {
        if (preparing || up || closed) {
            return -1;
        }
        preparing = true;
        return connectionChanges;
    }

    private synchronized boolean finishPreparing(long before, boolean ready) {
        preparing = false;
        if (ready && before != connectionChanges) {
            run(this::connect); // the connection changed during the preparation
        }
        up = ready && before == connectionChanges && !closed;
        loggedProblem = up ? null : loggedProblem;
        return up;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            invalidate();
        }
        UUID registered = listener;
        if (registered != null) {
            instance.getLifecycleService().removeLifecycleListener(registered);
        }
        scheduler.shutdown();
        io.shutdown();
        if (owned) {
            instance.shutdown();
        } else {
            whenClosing.forEach(this::runQuietly);
        }
    }

    private void runQuietly(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            log.debug("Cleanup on the cluster failed: {}", e.toString());
        }
    }
}

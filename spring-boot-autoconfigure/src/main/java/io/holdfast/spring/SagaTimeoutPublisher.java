package io.holdfast.spring;

import io.holdfast.saga.SagaTimedOutEvent;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes {@link SagaTimedOutEvent} to the listeners of the application, one at a time, on a thread of its own. A
 * listener may block: the committer, which reports the timeout, never waits for it.
 *
 * <p>Publishing is a notification and not durable: it is lost if the process ends first. The saga's row is durable.
 */
final class SagaTimeoutPublisher implements AutoCloseable {

    /** More sagas than the detector judges in many runs. A listener that is slower than that loses notifications. */
    static final int MAX_WAITING = 10_000;

    private static final int CLOSE_SECONDS = 5;
    private static final Logger log = LoggerFactory.getLogger(SagaTimeoutPublisher.class);

    private final ApplicationEventPublisher application;
    private final ThreadPoolExecutor thread;

    SagaTimeoutPublisher(ApplicationEventPublisher application) {
        this.application = application;
        this.thread = new ThreadPoolExecutor(
                1, 1, CLOSE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                    Thread created = new Thread(task, "holdfast-saga-timeouts");
                    created.setDaemon(true);
                    return created;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /** Returns immediately. */
    void publish(SagaTimedOutEvent timeout) {
        try {
            thread.execute(() -> notifyListeners(timeout));
        } catch (RejectedExecutionException e) {
            log.warn(
                    "Saga {} timed out, but the listeners of the application are not notified: {} notifications wait,"
                            + " or the application is stopping. GET /api/sagas/{} shows the saga",
                    timeout.sagaId(),
                    thread.getQueue().size(),
                    timeout.sagaId());
        }
    }

    private void notifyListeners(SagaTimedOutEvent timeout) {
        try {
            application.publishEvent(timeout);
        } catch (RuntimeException e) {
            log.warn(
                    "A listener for the timeout of saga {} failed; it still receives later timeouts",
                    timeout.sagaId(),
                    e);
        }
    }

    /** Waits a few seconds for listeners that are running. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                log.warn("Listeners for timeouts of sagas are still running after {} s", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

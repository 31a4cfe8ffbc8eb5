package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.resilience.breaker.AdmittedCall;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A call admitted by a Resilience4j breaker. Only the first reported outcome counts. Thread-safe. */
final class BreakerCall implements AdmittedCall {

    private final CircuitBreaker breaker;
    private final long start;
    private final AtomicReference<@Nullable Long> end = new AtomicReference<>();
    private final AtomicBoolean reported = new AtomicBoolean();

    /** @throws io.github.resilience4j.circuitbreaker.CallNotPermittedException if the breaker rejects the call */
    BreakerCall(CircuitBreaker breaker) {
        breaker.acquirePermission();
        this.breaker = breaker;
        this.start = breaker.getCurrentTimestamp();
    }

    @Override
    public void returned() {
        end.compareAndSet(null, breaker.getCurrentTimestamp());
    }

    @Override
    public void succeeded() {
        report(millis -> breaker.onSuccess(millis, TimeUnit.MILLISECONDS));
    }

    @Override
    public void failed(Throwable failure) {
        report(millis -> breaker.onError(millis, TimeUnit.MILLISECONDS, failure));
    }

    @Override
    public void abandoned() {
        report(millis -> breaker.releasePermission());
    }

    private void report(LongConsumer outcome) {
        if (reported.compareAndSet(false, true)) {
            returned();
            long millis = Math.max(0, Objects.requireNonNull(end.get()) - start);
            ResilientOperation.notifyListeners(() -> outcome.accept(millis));
        }
    }
}

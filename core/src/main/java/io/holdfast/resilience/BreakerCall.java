package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** One call that a breaker let through. The breaker is told its outcome once, by whoever comes first. */
final class BreakerCall {

    private final CircuitBreaker breaker;
    private final long start;
    private final AtomicBoolean told = new AtomicBoolean();

    /** @throws io.github.resilience4j.circuitbreaker.CallNotPermittedException if it is not let through */
    BreakerCall(CircuitBreaker breaker) {
        breaker.acquirePermission();
        this.breaker = breaker;
        this.start = breaker.getCurrentTimestamp();
    }

    void succeeded() {
        tell(millis -> breaker.onSuccess(millis, TimeUnit.MILLISECONDS));
    }

    void failed(Throwable failure) {
        tell(millis -> breaker.onError(millis, TimeUnit.MILLISECONDS, failure));
    }

    /** It has no outcome. A half-open breaker lets another call through in its place. */
    void givenUp() {
        tell(millis -> breaker.releasePermission());
    }

    private void tell(LongConsumer outcome) {
        if (told.compareAndSet(false, true)) {
            long millis = Math.max(0, breaker.getCurrentTimestamp() - start); // a wall clock may be set back
            ResilientOperation.tell(() -> outcome.accept(millis));
        }
    }
}

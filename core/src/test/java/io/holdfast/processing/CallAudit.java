package io.holdfast.processing;

import io.holdfast.resilience.breaker.AdmittedCall;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.resilience.breaker.RetryReports;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Records the outcome of every call that a breaker has admitted. Thread-safe. */
final class CallAudit implements Breakers {

    private final Breakers breakers;
    private final AtomicInteger open = new AtomicInteger();
    private final List<String> outcomes = new CopyOnWriteArrayList<>();

    CallAudit(Breakers breakers) {
        this.breakers = breakers;
    }

    /** Returns the number of calls whose outcome is still open. */
    int open() {
        return open.get();
    }

    List<String> outcomes() {
        return outcomes;
    }

    @Override
    public AdmittedCall admit(String name) {
        AdmittedCall call = breakers.admit(name);
        open.incrementAndGet();
        return new AuditedCall(call);
    }

    @Override
    public boolean isClosed(String name) {
        return breakers.isClosed(name);
    }

    @Override
    public RetryReports retry(String name) {
        return breakers.retry(name);
    }

    private final class AuditedCall implements AdmittedCall {

        private final AdmittedCall call;
        private final AtomicBoolean reported = new AtomicBoolean();

        AuditedCall(AdmittedCall call) {
            this.call = call;
        }

        @Override
        public void returned() {
            call.returned();
        }

        @Override
        public void succeeded() {
            report("succeeded");
            call.succeeded();
        }

        @Override
        public void failed(Throwable failure) {
            report("failed");
            call.failed(failure);
        }

        @Override
        public void abandoned() {
            report("abandoned");
            call.abandoned();
        }

        private void report(String outcome) {
            if (reported.compareAndSet(false, true)) {
                open.decrementAndGet();
                outcomes.add(outcome);
            }
        }
    }
}

package io.holdfast.tck.harness;

import io.holdfast.resilience.breaker.AdmittedCall;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.resilience.breaker.RetryReports;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Breakers of one replica that open and close as scripted, and record the outcome of every call. A half-open breaker
 * that never gets an outcome would admit no further call. Not thread-safe.
 */
public final class ScriptedBreakers implements Breakers {

    /** What a breaker can learn about a call. */
    public enum Outcome {
        SUCCEEDED,
        FAILED,
        ABANDONED
    }

    private final BooleanSupplier isOpen;
    private final List<Outcome> outcomes = new ArrayList<>();
    private int admitted;

    public ScriptedBreakers(BooleanSupplier isOpen) {
        this.isOpen = isOpen;
    }

    /** Returns the first outcome of each call, in the order in which they were reported. */
    public List<Outcome> outcomes() {
        return outcomes;
    }

    /** Returns the number of admitted calls without an outcome. */
    public int openCalls() {
        return admitted - outcomes.size();
    }

    @Override
    public AdmittedCall admit(String name) {
        if (isOpen.getAsBoolean()) {
            throw new IllegalStateException("breaker " + name + " is open, as scripted");
        }
        admitted++;
        return new RecordedCall();
    }

    @Override
    public boolean isClosed(String name) {
        return !isOpen.getAsBoolean();
    }

    @Override
    public RetryReports retry(String name) {
        return RetryReports.NONE;
    }

    private final class RecordedCall implements AdmittedCall {

        private boolean reported;

        @Override
        public void returned() {}

        @Override
        public void succeeded() {
            report(Outcome.SUCCEEDED);
        }

        @Override
        public void failed(Throwable failure) {
            report(Outcome.FAILED);
        }

        @Override
        public void abandoned() {
            report(Outcome.ABANDONED);
        }

        private void report(Outcome outcome) {
            if (!reported) {
                reported = true;
                outcomes.add(outcome);
            }
        }
    }
}

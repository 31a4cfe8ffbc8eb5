package io.holdfast.tck.saga;

import io.holdfast.NonRetryableException;
import io.holdfast.saga.orchestration.SagaCallContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** How the steps of purchases behave, and which external calls were made. Used by one thread. */
final class PurchaseScript {

    static final int SCORE = 7;

    private final Map<String, RuntimeException> failing = new HashMap<>();
    private final Set<String> refusing = new HashSet<>();
    private final Set<String> hanging = new HashSet<>();
    private final List<CompletableFuture<Integer>> hung = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();

    /** Fails every attempt of a step with a failure that can be retried. */
    void fail(String step) {
        failing.put(step, new IllegalStateException(step + " fails, as scripted"));
    }

    /** Fails a step with a failure that is final. */
    void reject(String step) {
        failing.put(step, new Rejected(step + " is rejected, as scripted"));
    }

    void repair(String step) {
        failing.remove(step);
    }

    /** Lets a participant refuse a command by an event. */
    void refuse(String step) {
        refusing.add(step);
    }

    /** Lets a call take until {@link #respond}. */
    void hang(String call) {
        hanging.add(call);
    }

    /** Completes the calls that hang. */
    void respond() {
        hanging.clear();
        hung.forEach(call -> call.complete(SCORE));
        hung.clear();
    }

    void attempt(String step) {
        RuntimeException failure = failing.get(step);
        if (failure != null) {
            throw failure;
        }
    }

    boolean isRefusing(String step) {
        return refusing.contains(step);
    }

    CompletionStage<Integer> call(String call, Purchase purchase, SagaCallContext context) {
        calls.add(call + " " + purchase.order());
        keys.add(call + " " + context.idempotencyKey());
        if (hanging.contains(call)) {
            CompletableFuture<Integer> response = new CompletableFuture<>();
            hung.add(response);
            return response;
        }
        attempt(call);
        return CompletableFuture.completedFuture(SCORE);
    }

    /** Returns the calls, in order. */
    List<String> calls() {
        return calls;
    }

    /** Returns the number of different idempotency keys. */
    int keys() {
        return keys.size();
    }

    /** A business error. */
    static final class Rejected extends RuntimeException implements NonRetryableException {

        private static final long serialVersionUID = 1L;

        Rejected(String message) {
            super(message);
        }
    }
}

package io.holdfast.processing.operation;

import io.holdfast.HoldfastException;
import io.holdfast.worker.MonotonicTime;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is created when it reaches the front of the queue.
 *
 * @param <T> the type of its result
 */
public final class DeferredOperation<T extends @Nullable Object> implements Operation {

    private final Supplier<? extends Operation> factory;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable Operation delegate;

    public DeferredOperation(Supplier<? extends Operation> factory) {
        this.factory = factory;
    }

    @Override
    public MonotonicTime deadline() {
        return delegate == null ? MonotonicTime.MAX : delegate.deadline(); // its time starts at the front of the queue
    }

    @Override
    public CompletableFuture<T> result() {
        return result;
    }

    @Override
    @SuppressWarnings("unchecked") // the factory determines the type of the result
    public void advance() {
        Operation operation = delegate;
        if (operation == null) {
            operation = factory.get();
            delegate = operation;
            var unused = operation.result().whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete((T) value);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        }
        try {
            operation.advance();
        } catch (HoldfastException e) {
            result.completeExceptionally(e);
        }
    }

    @Override
    public void finish() {
        if (delegate != null) {
            delegate.finish();
        }
    }
}

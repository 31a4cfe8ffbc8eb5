package io.holdfast.processing;

import io.holdfast.HoldfastException;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is made when its turn has come.
 *
 * @param <T> its answer
 */
final class DeferredOperation<T extends @Nullable Object> implements Operation {

    private final Supplier<? extends Operation> factory;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable Operation delegate;

    DeferredOperation(Supplier<? extends Operation> maker) {
        this.factory = maker;
    }

    @Override
    public Instant deadline() {
        return delegate == null ? Instant.MAX : delegate.deadline(); // it has all its time from when its turn has come
    }

    @Override
    public CompletableFuture<T> result() {
        return result;
    }

    @Override
    @SuppressWarnings("unchecked") // whoever made it knows what it answers
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

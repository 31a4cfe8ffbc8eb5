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
final class LaterOperation<T extends @Nullable Object> implements Operation {

    private final Supplier<? extends Operation> maker;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable Operation made;

    LaterOperation(Supplier<? extends Operation> maker) {
        this.maker = maker;
    }

    @Override
    public Instant deadline() {
        return made == null ? Instant.MAX : made.deadline(); // it has all its time from when its turn has come
    }

    @Override
    public CompletableFuture<T> result() {
        return result;
    }

    @Override
    @SuppressWarnings("unchecked") // whoever made it knows what it answers
    public void advance() {
        Operation operation = made;
        if (operation == null) {
            operation = maker.get();
            made = operation;
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
        if (made != null) {
            made.finish();
        }
    }
}

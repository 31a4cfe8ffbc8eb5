package io.holdfast.admin.gateway;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Failures of futures, which wrap the exception that caused them. */
public final class Failures {

    private Failures() {}

    /** Returns the exception with which a future was completed. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Returns the cause as an exception that can be thrown. */
    public static RuntimeException toThrow(Throwable failure) {
        return cause(failure) instanceof RuntimeException unchecked
                ? unchecked
                : new CompletionException(cause(failure));
    }

    /** Returns the problem with which a future failed; null if it failed otherwise. */
    public static @Nullable OperatorProblem problem(@Nullable Throwable failure) {
        return failure != null && cause(failure) instanceof OperatorProblem problem ? problem : null;
    }
}

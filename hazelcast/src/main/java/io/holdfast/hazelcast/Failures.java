package io.holdfast.hazelcast;

import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.spi.exception.RetryableException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import io.holdfast.wire.WireUnavailableException;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Classifies failed calls to the cluster and translates them into {@link WireUnavailableException}. */
final class Failures {

    private Failures() {}

    /** @return whether the cluster was unreachable, as opposed to a failure of the operation itself */
    static boolean isOutage(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HazelcastClientOfflineException
                    || cause instanceof HazelcastClientNotActiveException
                    || cause instanceof HazelcastInstanceNotActiveException
                    || cause instanceof TargetDisconnectedException
                    || cause instanceof OperationTimeoutException
                    || cause instanceof RetryableException
                    || cause instanceof TimeoutException
                    || cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return (failure instanceof CompletionException || failure instanceof ExecutionException) && cause != null
                ? unwrap(cause)
                : failure;
    }

    /** @param what the action that failed, as an infinitive: "publish 3 events" */
    static WireUnavailableException unavailable(String what, Throwable failure) {
        Throwable cause = unwrap(failure);
        return new WireUnavailableException(
                "cannot " + what + ": " + cause.getClass().getSimpleName() + ", " + cause.getMessage());
    }

    static WireUnavailableException notConnected(String what) {
        return new WireUnavailableException("cannot " + what + ": the cluster is not connected");
    }
}

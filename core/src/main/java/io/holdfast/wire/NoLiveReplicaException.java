package io.holdfast.wire;

/** The service directory lists no such replica, or none of the service. Nothing was sent. */
public final class NoLiveReplicaException extends WireUnavailableException {

    public NoLiveReplicaException(String message) {
        super(message);
    }

    /** Returns the exception for a replica that the directory does not list. */
    public static NoLiveReplicaException of(OperationRequest request, String replica) {
        return new NoLiveReplicaException(request + ": the service directory does not list replica " + replica
                + " of that service; nothing was sent");
    }
}

package io.holdfast.saga.orchestration;

/** Names the stream in which an orchestrator sends its commands. */
public final class SagaStreams {

    private SagaStreams() {}

    /** Returns the stream with the commands of a service's orchestrated sagas. Its keys are the ids of the sagas. */
    public static String of(String service) {
        return service + ".sagas";
    }
}

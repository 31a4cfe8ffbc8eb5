package io.holdfast.benchmarks;

/** The measurements for each number of parked sequences, in this order. */
enum DeadLetterVariant {
    AXON_PARK("park, Axon, one transaction per event, 1 thread (default)"),
    AXON_PARK_MULTITHREADED(
            "park, Axon, one transaction per event, " + DeadLetterVariant.THREADS + " threads, one per segment"),
    AXON_PARK_BATCHED("park, Axon, " + DeadLetterVariant.EVENTS_PER_UNIT + " events per transaction, 1 thread"),
    PARK("park, Holdfast"),
    AXON_REPLAY("replay, Axon, processAny in a loop"),
    REPLAY_ONE_BY_ONE("replay, Holdfast, processAny in a loop"),
    REPLAY_ALL("replay, Holdfast, processAll");

    static final int THREADS = 4;
    static final int EVENTS_PER_UNIT = 100;

    final String label;

    DeadLetterVariant(String label) {
        this.label = label;
    }
}

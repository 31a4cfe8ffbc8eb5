package io.holdfast.benchmarks;

/** What is measured for a number of parked sequences, in this order. */
enum DeadLetterVariant {
    AXON_PARK("park, Axon, one transaction per event, 1 thread (batches of 1 are its default)"),
    AXON_PARK_MULTITHREADED(
            "park, Axon, one transaction per event, " + DeadLetterVariant.THREADS + " threads by segment"),
    AXON_PARK_BATCHED("park, Axon, " + DeadLetterVariant.EVENTS_PER_UNIT + " events per transaction, 1 thread"),
    PARK("park, Holdfast"),
    AXON_REPLAY("drain, Axon, processAny in a loop"),
    REPLAY_ONE_BY_ONE("drain, Holdfast, processAny in a loop"),
    REPLAY_ALL("drain, Holdfast, processAll");

    static final int THREADS = 4;
    static final int EVENTS_PER_UNIT = 100;

    final String label;

    DeadLetterVariant(String label) {
        this.label = label;
    }
}

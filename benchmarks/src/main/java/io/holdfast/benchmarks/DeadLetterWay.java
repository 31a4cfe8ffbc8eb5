package io.holdfast.benchmarks;

/** What is measured for a number of parked sequences, in this order. */
enum DeadLetterWay {
    AXON_PARK("park, Axon, one transaction per event, 1 thread (batches of 1 are its default)"),
    AXON_PARK_IN_THREADS("park, Axon, one transaction per event, " + DeadLetterWay.THREADS + " threads by segment"),
    AXON_PARK_IN_BATCHES("park, Axon, " + DeadLetterWay.EVENTS_PER_UNIT + " events per transaction, 1 thread"),
    PARK("park, Holdfast"),
    AXON_DRAIN("drain, Axon, processAny in a loop"),
    DRAIN_ONE_BY_ONE("drain, Holdfast, processAny in a loop"),
    DRAIN_ALL("drain, Holdfast, processAll");

    static final int THREADS = 4;
    static final int EVENTS_PER_UNIT = 100;

    final String label;

    DeadLetterWay(String label) {
        this.label = label;
    }
}

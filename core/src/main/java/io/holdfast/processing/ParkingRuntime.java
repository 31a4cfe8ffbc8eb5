package io.holdfast.processing;

/** Everything that parking, retrying and probing a processor's letters needs. */
record ParkingRuntime(FailurePolicy policy, BreakerProbes probes, ParkingNotifier notifier) {}

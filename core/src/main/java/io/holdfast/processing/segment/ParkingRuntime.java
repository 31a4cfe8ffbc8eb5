package io.holdfast.processing.segment;

import io.holdfast.parking.BreakerProbes;
import io.holdfast.parking.FailurePolicy;
import io.holdfast.processing.metrics.ParkingNotifier;

/** Everything that parking, retrying and probing a processor's letters needs. */
public record ParkingRuntime(FailurePolicy policy, BreakerProbes probes, ParkingNotifier notifier) {}

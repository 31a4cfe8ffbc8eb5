package io.holdfast.service;

import io.holdfast.processing.HeldProbes;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;

/** The breakers of a service, and what waits for them. */
record ServiceResilience(ResilientServiceInvoker invoker, HeldProbes probes) {

    static ServiceResilience of(ResilienceSettings settings, MeterRegistry metrics, Clock clock) {
        HeldProbes probes = new HeldProbes(settings);
        ResilientServiceInvoker invoker = ResilientServiceInvoker.builder(settings, metrics)
                .clock(clock)
                .onClosed(probes::closed)
                .build();
        return new ServiceResilience(invoker, probes);
    }
}

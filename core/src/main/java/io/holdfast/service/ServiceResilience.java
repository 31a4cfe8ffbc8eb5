package io.holdfast.service;

import io.holdfast.parking.BreakerProbes;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;

/** The circuit breakers of a service, and the probes of sequences that they hold. */
record ServiceResilience(ResilientServiceInvoker invoker, BreakerProbes probes) {

    static ServiceResilience of(ResilienceSettings settings, MeterRegistry metrics, Clock clock) {
        BreakerProbes probes = new BreakerProbes(settings);
        ResilientServiceInvoker invoker = ResilientServiceInvoker.builder(settings, metrics)
                .clock(clock)
                .onClosed(probes::onBreakerClosed)
                .build();
        return new ServiceResilience(invoker, probes);
    }
}

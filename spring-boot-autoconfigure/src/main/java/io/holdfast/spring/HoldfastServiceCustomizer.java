package io.holdfast.spring;

import io.holdfast.service.HoldfastServiceBuilder;

/** Customizes the service beyond what properties and annotations express: outbox streams, programmatic processors. */
@FunctionalInterface
public interface HoldfastServiceCustomizer {

    void customize(HoldfastServiceBuilder service);
}

package io.holdfast.spring;

import io.holdfast.service.HoldfastServiceBuilder;

/** A bean that says more about the service than properties and annotations can: row-kept streams, processors by hand. */
@FunctionalInterface
public interface HoldfastServiceCustomizer {

    void customize(HoldfastServiceBuilder service);
}

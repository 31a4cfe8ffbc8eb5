package io.holdfast.spring.properties;

/**
 * All properties of a service, bound and validated together.
 *
 * @param framework the properties {@code framework.*}
 * @param saga the properties {@code saga.*}
 */
record BoundProperties(HoldfastProperties framework, SagaProperties saga) {}

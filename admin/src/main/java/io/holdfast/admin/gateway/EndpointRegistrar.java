package io.holdfast.admin.gateway;

/**
 * Registers the endpoints of one concept. All registrars of an application are called before its service starts, so
 * that a replica never announces itself without them.
 */
@FunctionalInterface
public interface EndpointRegistrar {

    void register(OwnerEndpoints endpoints);
}

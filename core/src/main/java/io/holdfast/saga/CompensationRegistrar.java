package io.holdfast.saga;

/**
 * Declares sagas. A bean method declares them on the {@link CompensationRegistry} that it gets as a parameter and
 * returns a registrar, or declares them in the returned registrar; both work.
 *
 * <pre>{@code
 * @Bean
 * CompensationRegistrar orderFulfillment(CompensationRegistry registry) {
 *     registry.saga("OrderFulfillment").streams("orders", "reservations") …;
 *     return () -> {};
 * }
 * }</pre>
 */
@FunctionalInterface
public interface CompensationRegistrar {

    /** Called once, before the registry is read. */
    void register();
}

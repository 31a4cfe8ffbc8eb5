package io.holdfast.admin;

import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches faults of components on and off, each time with a warning in the log. For any number of threads. */
public final class FaultOperations {

    private static final Logger log = LoggerFactory.getLogger(FaultOperations.class);

    private final ServiceComponents components;
    private final FaultInjection injection;
    private final Clock clock;

    /** @param injection an interceptor of the service, or nothing fails */
    public FaultOperations(HoldfastService service, FaultInjection injection, Clock clock) {
        this.components = new ServiceComponents(service);
        this.injection = injection;
        this.clock = clock;
        log.warn("Faults can be injected into {}: framework.fault-injection.enabled is true", service.name());
    }

    /**
     * From now on components fail, before their handlers are called.
     *
     * @param component its name, its processor and name, or its id; null for all
     * @throws UnknownComponentException if there is none
     */
    public void inject(@Nullable String component, String failureMessage, boolean retryable) {
        List<String> chosen = resolveIds(component);
        Instant now = clock.instant();
        injection.inject(chosen.stream()
                .map(id -> new InjectedFault(id, failureMessage, retryable, now))
                .toList());
        log.warn("Faults are injected from now on, {}, into {}: {}", kind(retryable), chosen, failureMessage);
    }

    private static String kind(boolean retryable) {
        return retryable ? "to be tried again" : "for a person";
    }

    /**
     * Components fail no more on purpose; nothing happens to those that did not.
     *
     * @param component as in {@link #inject}
     * @throws UnknownComponentException if there is none
     */
    public void remove(@Nullable String component) {
        List<String> chosen = resolveIds(component);
        injection.remove(chosen);
        log.warn("Faults are no longer injected into {}", chosen);
    }

    public List<InjectedFault> faults() {
        return injection.faults();
    }

    /** The ids of all components. */
    public List<String> components() {
        return ids(components.all());
    }

    private List<String> resolveIds(@Nullable String component) {
        return ids(component == null ? components.all() : components.requireComponents(component));
    }

    private static List<String> ids(List<ManagedComponent> chosen) {
        return chosen.stream().map(ManagedComponent::id).toList();
    }
}

package io.holdfast.admin.fault;

import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.admin.component.UnknownComponentException;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Injects faults into components and removes them. Logs a warning for each change. Thread-safe. */
public final class FaultOperations {

    private static final Logger log = LoggerFactory.getLogger(FaultOperations.class);

    private final ServiceComponents components;
    private final FaultInjection injection;
    private final Clock clock;

    /** @param injection must be registered as an interceptor of the service; otherwise nothing fails */
    public FaultOperations(HoldfastService service, FaultInjection injection, Clock clock) {
        this.components = new ServiceComponents(service);
        this.injection = injection;
        this.clock = clock;
        log.warn("Faults can be injected into service {}: framework.fault-injection.enabled is true", service.name());
    }

    /**
     * Makes components fail from now on, before their handlers are called. Replaces earlier faults of these components.
     *
     * @param component the component's name, its processor and name, or its id; null for all components
     * @throws UnknownComponentException if no component matches
     */
    public void inject(@Nullable String component, String failureMessage, boolean retryable) {
        List<String> chosen = resolveIds(component);
        Instant now = clock.instant();
        injection.inject(chosen.stream()
                .map(id -> new InjectedFault(id, failureMessage, retryable, now))
                .toList());
        log.warn("Injecting {} faults into {}: {}", kind(retryable), chosen, failureMessage);
    }

    private static String kind(boolean retryable) {
        return retryable ? "retryable" : "non-retryable";
    }

    /**
     * Removes the injected faults. Has no effect on components without one.
     *
     * @param component as in {@link #inject}
     * @throws UnknownComponentException if no component matches
     */
    public void remove(@Nullable String component) {
        List<String> chosen = resolveIds(component);
        injection.remove(chosen);
        log.warn("Stopped injecting faults into {}", chosen);
    }

    public List<InjectedFault> faults() {
        return injection.faults();
    }

    /** Returns the ids of all components. */
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

package io.holdfast.admin.component;

import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.Optional;

/** Finds components of a service by the references that operators use. Thread-safe. */
public final class ServiceComponents {

    private final HoldfastService service;

    public ServiceComponents(HoldfastService service) {
        this.service = service;
    }

    public String service() {
        return service.name();
    }

    /** Returns all components, also those that only another version of the service has. */
    public List<ManagedComponent> all() {
        return service.processors().entrySet().stream()
                .flatMap(entry -> entry.getValue().components().stream()
                        .map(component ->
                                new ManagedComponent(service.name(), entry.getKey(), entry.getValue(), component)))
                .toList();
    }

    /** Returns the component with an id; empty if the service does not have it. */
    public Optional<ManagedComponent> find(String id) {
        return all().stream().filter(component -> component.id().equals(id)).findFirst();
    }

    /** Returns the components that match a name, a processor and name, or an id. */
    List<ManagedComponent> findComponents(String reference) {
        return all().stream().filter(component -> component.matches(reference)).toList();
    }

    /**
     * As {@link #findComponents}.
     *
     * @throws UnknownComponentException if no component matches
     */
    public List<ManagedComponent> requireComponents(String reference) {
        List<ManagedComponent> found = findComponents(reference);
        if (found.isEmpty()) {
            throw new UnknownComponentException(
                    reference, all().stream().map(ManagedComponent::id).toList());
        }
        return found;
    }
}

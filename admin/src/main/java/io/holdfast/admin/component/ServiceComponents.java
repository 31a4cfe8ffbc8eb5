package io.holdfast.admin.component;

import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Finds components of a service by the references and entry ids that operators use. Thread-safe. */
public final class ServiceComponents {

    private static final int UUID_LENGTH = 36;

    private final HoldfastService service;

    public ServiceComponents(HoldfastService service) {
        this.service = service;
    }

    /** Identifies the letter of an event in the queue of a component. */
    public record EntryReference(ManagedComponent component, UUID event) {}

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

    /** @throws UnknownProcessorException if the service has no such processor */
    public void requireProcessor(String name) {
        Set<String> processors =
                all().stream().map(ManagedComponent::processorName).collect(Collectors.toCollection(TreeSet::new));
        if (!processors.contains(name)) {
            throw new UnknownProcessorException(name, processors);
        }
    }

    /** Resolves an entry id; empty if the id is malformed, or the service does not have the component. */
    public Optional<EntryReference> locate(String entryId) {
        if (entryId.length() <= UUID_LENGTH || entryId.charAt(UUID_LENGTH) != ManagedComponent.SEPARATOR) {
            return Optional.empty();
        }
        String componentId = entryId.substring(UUID_LENGTH + 1);
        return event(entryId.substring(0, UUID_LENGTH)).flatMap(event -> all().stream()
                .filter(component -> component.urlSafeId().equals(componentId))
                .findFirst()
                .map(component -> new EntryReference(component, event)));
    }

    private static Optional<UUID> event(String text) {
        try {
            UUID event = UUID.fromString(text);
            return event.toString().equals(text) ? Optional.of(event) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

package io.holdfast.admin;

import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** The components of a service, as operators name them. */
final class ServiceComponents {

    private static final int UUID_LENGTH = 36;

    private final String service;
    private final List<ManagedComponent> all;

    ServiceComponents(HoldfastService service) {
        this.service = service.name();
        this.all = service.processors().entrySet().stream()
                .flatMap(entry -> entry.getValue().components().stream()
                        .map(component ->
                                new ManagedComponent(service.name(), entry.getKey(), entry.getValue(), component)))
                .toList();
    }

    /** An event in the queue of a component. */
    record EntryReference(ManagedComponent component, UUID event) {}

    String service() {
        return service;
    }

    List<ManagedComponent> all() {
        return all;
    }

    /** Those that are meant by a name, a processor and name, or an id. */
    List<ManagedComponent> findComponents(String reference) {
        return all.stream().filter(component -> component.matches(reference)).toList();
    }

    /**
     * As {@link #findComponents}.
     *
     * @throws UnknownComponentException if there is none
     */
    List<ManagedComponent> requireComponents(String reference) {
        List<ManagedComponent> called = findComponents(reference);
        if (called.isEmpty()) {
            throw new UnknownComponentException(
                    reference, all.stream().map(ManagedComponent::id).toList());
        }
        return called;
    }

    /** @throws UnknownProcessorException if there is none */
    void requireProcessor(String name) {
        Set<String> processors =
                all.stream().map(ManagedComponent::processorName).collect(Collectors.toCollection(TreeSet::new));
        if (!processors.contains(name)) {
            throw new UnknownProcessorException(name, processors);
        }
    }

    /** What an entry's id stands for; empty if that is none, or of a component that this service does not have. */
    Optional<EntryReference> locate(String entryId) {
        if (entryId.length() <= UUID_LENGTH || entryId.charAt(UUID_LENGTH) != ManagedComponent.SEPARATOR) {
            return Optional.empty();
        }
        String address = entryId.substring(UUID_LENGTH + 1);
        return event(entryId.substring(0, UUID_LENGTH)).flatMap(event -> all.stream()
                .filter(component -> component.urlSafeId().equals(address))
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

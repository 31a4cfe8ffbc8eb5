package io.holdfast.token;

import io.holdfast.event.EventMessage;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What all registered versions of a processor handle together. No replica moves a position past an event that the
 * definition covers, unless the event was handled or parked.
 *
 * @param version increased by every change; 0 for a definition that is not stored, as that of a single replica
 * @param components the components by stable id
 */
public record ProcessorDefinition(long version, Map<String, ComponentDefinition> components) {

    public static final ProcessorDefinition EMPTY = new ProcessorDefinition(0, Map.of());

    public ProcessorDefinition {
        components = Map.copyOf(components);
    }

    /** Creates the definition of a single replica. */
    public static ProcessorDefinition of(Map<String, ComponentDefinition> components) {
        return new ProcessorDefinition(0, components);
    }

    public Optional<ComponentDefinition> find(String component) {
        return Optional.ofNullable(components.get(component));
    }

    /** Returns whether the component handles this event, in some registered version. */
    public boolean covers(String component, EventMessage event) {
        ComponentDefinition found = components.get(component);
        return found != null && found.covers(event);
    }

    /** Returns whether this definition lists everything that another one lists. */
    public boolean includes(ProcessorDefinition other) {
        return other.components().entrySet().stream().allMatch(entry -> {
            ComponentDefinition known = components.get(entry.getKey());
            return known != null && known.includes(entry.getValue());
        });
    }

    /** Returns whether both definitions list the same components, types and saga types. */
    public boolean coversSameAs(ProcessorDefinition other) {
        return components.keySet().equals(other.components().keySet()) && includes(other) && other.includes(this);
    }

    /** Returns this definition with everything that a replica handles. The declarations of the replica win. */
    public ProcessorDefinition merged(ProcessorDefinition replica) {
        Map<String, ComponentDefinition> all = new TreeMap<>(components);
        replica.components().forEach((id, newer) -> all.merge(id, newer, ComponentDefinition::merged));
        return new ProcessorDefinition(version, all);
    }

    /** Returns this definition without some components, and without some types of the others. */
    public ProcessorDefinition without(Set<String> retiredComponents, Map<String, Set<String>> retiredTypes) {
        Map<String, ComponentDefinition> rest = new TreeMap<>(components);
        rest.keySet().removeAll(retiredComponents);
        retiredTypes.forEach((id, types) -> rest.computeIfPresent(id, (unused, known) -> known.without(types)));
        return new ProcessorDefinition(version, rest);
    }

    /** Returns this definition without some saga types of its components. */
    public ProcessorDefinition withoutSagaTypes(Map<String, Set<String>> retired) {
        Map<String, ComponentDefinition> rest = new TreeMap<>(components);
        retired.forEach((id, types) -> rest.computeIfPresent(id, (unused, known) -> known.withoutSagaTypes(types)));
        return new ProcessorDefinition(version, rest);
    }

    /**
     * Returns this definition with the components that stored tokens name and the definition lacks: an earlier release
     * stored them without their types, so they count as handling every type.
     */
    public ProcessorDefinition completedBy(Collection<Token> tokens) {
        Map<String, ComponentDefinition> all = new TreeMap<>(components);
        tokens.forEach(token -> token.setup()
                .components()
                .keySet()
                .forEach(id -> all.putIfAbsent(id, ComponentDefinition.ofUnknownTypes())));
        return new ProcessorDefinition(version, all);
    }

    public ProcessorDefinition withVersion(long newVersion) {
        return new ProcessorDefinition(newVersion, components);
    }
}

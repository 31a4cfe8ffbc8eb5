package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.handling.Component;
import io.holdfast.service.ProcessorConfiguration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the components that belong to one processor, and the streams that they read. */
final class DiscoveredProcessor {

    private final String name;
    private final Map<String, Component> components = new LinkedHashMap<>();
    private final Map<String, String> beans = new LinkedHashMap<>();
    private final Set<String> streams = new LinkedHashSet<>();

    DiscoveredProcessor(String name) {
        this.name = name;
    }

    /** @throws PermanentException if the processor already has a component with that name */
    void add(Component component, String bean, String... reads) {
        String other = beans.putIfAbsent(component.name(), bean);
        if (other != null) {
            throw new PermanentException("its component has the same name, " + component.name() + ", as that of bean "
                    + other + " in processor " + name + "; rename one of them");
        }
        components.put(component.name(), component);
        streams.addAll(List.of(reads));
    }

    Collection<Component> components() {
        return components.values();
    }

    void addTo(ProcessorConfiguration processor) {
        processor.reads(streams.toArray(String[]::new));
        components.values().forEach(processor::calls);
    }
}

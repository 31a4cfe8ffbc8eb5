package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.processing.Component;
import io.holdfast.service.ProcessorConfiguration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A processor as its components describe it: all of them, and the streams of all of them. */
final class DiscoveredProcessor {

    private final String name;
    private final Map<String, Component> components = new LinkedHashMap<>();
    private final Map<String, String> beans = new LinkedHashMap<>();
    private final Set<String> streams = new LinkedHashSet<>();

    DiscoveredProcessor(String name) {
        this.name = name;
    }

    /** @throws PermanentException if it has a component of that name */
    void add(Component component, String bean, String... reads) {
        String other = beans.putIfAbsent(component.name(), bean);
        if (other != null) {
            throw new PermanentException("its component is named " + component.name() + " as that of bean " + other
                    + " is, in the same processor " + name + "; rename one");
        }
        components.put(component.name(), component);
        streams.addAll(List.of(reads));
    }

    Collection<Component> components() {
        return components.values();
    }

    void addTo(ProcessorConfiguration definition) {
        definition.reads(streams.toArray(String[]::new));
        components.values().forEach(definition::calls);
    }
}

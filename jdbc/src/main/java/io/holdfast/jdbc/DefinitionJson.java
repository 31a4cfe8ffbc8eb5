package io.holdfast.jdbc;

import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Stores the components of a definition as JSON. Skips properties that a later release may add. */
final class DefinitionJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final TypeReference<Map<String, StoredComponent>> COMPONENTS = new TypeReference<>() {};

    private DefinitionJson() {}

    static String write(ProcessorDefinition definition) {
        Map<String, StoredComponent> components = new TreeMap<>();
        definition.components().forEach((id, component) -> components.put(id, StoredComponent.of(component)));
        return JSON.writeValueAsString(components);
    }

    /** @param json null for a replica of an earlier release, which registered nothing */
    static ProcessorDefinition read(long version, @Nullable String json) {
        if (json == null) {
            return ProcessorDefinition.EMPTY;
        }
        Map<String, ComponentDefinition> components = new TreeMap<>();
        JSON.readValue(json, COMPONENTS).forEach((id, stored) -> components.put(id, stored.toDefinition()));
        return new ProcessorDefinition(version, components);
    }

    /** @param sagaTypes null if an earlier release has written it, which knew no saga types */
    private record StoredComponent(
            Map<String, String> types,
            @Nullable Map<String, String> sagaTypes,
            boolean resettable,
            boolean callsOutside) {

        static StoredComponent of(ComponentDefinition component) {
            return new StoredComponent(
                    new TreeMap<>(component.types()),
                    new TreeMap<>(component.sagaTypes()),
                    component.resettable(),
                    component.callsOutside());
        }

        ComponentDefinition toDefinition() {
            return sagaTypes == null
                    ? new ComponentDefinition(types, resettable, callsOutside)
                    : new ComponentDefinition(types, sagaTypes, resettable, callsOutside);
        }
    }
}

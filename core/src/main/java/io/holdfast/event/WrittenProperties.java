package io.holdfast.event;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;

/**
 * The properties that a class writes. It knows all of them, even those that it does not read, such as a derived total.
 * Thread-safe.
 */
final class WrittenProperties {

    private final JsonMapper mapper;
    private final Map<Class<?>, Set<String>> byClass = new ConcurrentHashMap<>();

    WrittenProperties(JsonMapper mapper) {
        this.mapper = mapper;
    }

    Set<String> of(Class<?> type) {
        return byClass.computeIfAbsent(type, this::inspect);
    }

    private Set<String> inspect(Class<?> type) {
        Set<String> names = new HashSet<>();
        try {
            mapper.acceptJsonFormatVisitor(type, new Visitor(names));
        } catch (JacksonException e) {
            return Set.of(); // a class that is only read, for example a builder
        }
        return names;
    }

    private static final class Visitor extends JsonFormatVisitorWrapper.Base {

        private final Set<String> names;

        Visitor(Set<String> names) {
            this.names = names;
        }

        @Override
        public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
            return new JsonObjectFormatVisitor.Base(getContext()) {
                @Override
                public void property(BeanProperty property) {
                    names.add(property.getName());
                }

                @Override
                public void optionalProperty(BeanProperty property) {
                    names.add(property.getName());
                }
            };
        }
    }
}

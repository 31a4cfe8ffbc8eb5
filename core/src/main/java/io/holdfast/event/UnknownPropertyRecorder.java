package io.holdfast.event;

import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/** Records the names of the properties that one decoding has skipped. */
final class UnknownPropertyRecorder extends DeserializationProblemHandler {

    private final WrittenProperties written;
    private final Set<String> names = new TreeSet<>();

    UnknownPropertyRecorder(WrittenProperties written) {
        this.written = written;
    }

    Set<String> names() {
        return names;
    }

    @Override
    public boolean handleUnknownProperty(
            DeserializationContext context,
            JsonParser parser,
            ValueDeserializer<?> deserializer,
            Object beanOrClass,
            String name) {
        Class<?> type = beanOrClass instanceof Class<?> known ? known : beanOrClass.getClass();
        if (!written.of(type).contains(name)) {
            names.add(name);
        }
        parser.skipChildren();
        return true;
    }
}

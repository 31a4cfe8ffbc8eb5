package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventType;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a handler method is given, found by the types of its parameters, and the event type that follows from them. */
final class HandlerParameters {

    private static final Map<Class<?>, Argument> KNOWN = Map.of(
            EventMessage.class,
            (payload, codec, context) -> context.event(),
            Metadata.class,
            (payload, codec, context) -> context.event().metadata(),
            EventContext.class,
            (payload, codec, context) -> context,
            DeadLetter.class,
            (payload, codec, context) -> context.deadLetter().orElse(null));

    private final List<Argument> arguments;
    private final List<Parameter> payloads;

    HandlerParameters(Method method) {
        this.arguments = Arrays.stream(method.getParameters())
                .map(parameter -> argument(parameter.getType()))
                .toList();
        this.payloads = Arrays.stream(method.getParameters())
                .filter(parameter -> !KNOWN.containsKey(parameter.getType()))
                .toList();
    }

    /** One for each parameter, in their order. */
    @Nullable
    Object[] resolve(Payload payload, PayloadCodec codec, EventContext context) {
        @Nullable Object[] resolved = new Object[arguments.size()];
        for (int i = 0; i < resolved.length; i++) {
            resolved[i] = arguments.get(i).resolve(payload, codec, context);
        }
        return resolved;
    }

    /** The event type that the payload's class names; only if {@link #mistakes} finds none. */
    String typeOfPayload() {
        return EventType.Of.name(payloads.get(0).getType());
    }

    /**
     * What is wrong, and what to do.
     *
     * @param typeIsNamed whether the annotation names the event type
     */
    List<String> mistakes(boolean typeIsNamed) {
        List<String> found = new ArrayList<>();
        if (payloads.size() > 1) {
            found.add("has " + payloads.size() + " payload parameters ("
                    + payloads.stream()
                            .map(parameter -> parameter.getType().getSimpleName())
                            .collect(Collectors.joining(", "))
                    + "); keep one, beside EventMessage, Metadata, EventContext and DeadLetter");
        }
        if (payloads.isEmpty() && !typeIsNamed) {
            found.add("says no event type; give it a payload parameter or a name, @EventHandler(\"…\")");
        }
        payloads.forEach(parameter -> checkPayload(parameter, typeIsNamed, found));
        return found;
    }

    private static void checkPayload(Parameter parameter, boolean typeIsNamed, List<String> found) {
        Class<?> type = parameter.getType();
        if (type.isPrimitive() || type.isArray()) {
            found.add("takes the payload as " + type.getSimpleName()
                    + "; take it as a class of its own, such as a record");
        } else if (!(parameter.getParameterizedType() instanceof Class<?>)) {
            found.add("takes the payload as " + parameter.getParameterizedType().getTypeName()
                    + ", which is read as a plain " + type.getSimpleName()
                    + "; take it as a class without type parameters, in a method that is annotated itself");
        } else if (!typeIsNamed && !namesEventType(type)) {
            found.add("takes the payload as " + type.getSimpleName()
                    + ", which is no event's class; say the event type, @EventHandler(\"…\")");
        }
    }

    /** An event is named after the class of an object, which is never abstract, unless its name is written there. */
    private static boolean namesEventType(Class<?> type) {
        if (type.isAnnotationPresent(EventType.class)) {
            return true;
        }
        return !Modifier.isAbstract(type.getModifiers())
                && !type.getName().startsWith("java.")
                && !JsonNode.class.isAssignableFrom(type)
                && type != Payload.class;
    }

    private static Argument argument(Class<?> type) {
        Argument known = KNOWN.get(type);
        if (known != null) {
            return known;
        }
        return type == Payload.class
                ? (payload, codec, context) -> payload
                : (payload, codec, context) -> codec.decode(payload, type);
    }

    /** Where one argument comes from. */
    private interface Argument {

        @Nullable
        Object resolve(Payload payload, PayloadCodec codec, EventContext context);
    }
}

package io.holdfast.handling;

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
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Resolves the arguments of a handler method by the types of its parameters, and derives the event type from them. */
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

    /** Returns one argument per parameter, in their order. */
    @Nullable
    Object[] resolve(Payload payload, PayloadCodec codec, EventContext context) {
        @Nullable Object[] resolved = new Object[arguments.size()];
        for (int i = 0; i < resolved.length; i++) {
            resolved[i] = arguments.get(i).resolve(payload, codec, context);
        }
        return resolved;
    }

    /** Returns the class as which the payload is decoded; empty if it is not. */
    Optional<Class<?>> classOfPayload() {
        return payloads.stream().findFirst().<Class<?>>map(Parameter::getType).filter(type -> type != Payload.class);
    }

    /** Returns the event type that the payload's class names. Call it only if {@link #mistakes} is empty. */
    String typeOfPayload() {
        return EventType.Of.name(payloads.get(0).getType());
    }

    /**
     * Returns what is wrong, and how to fix it.
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
                    + "); keep one, in addition to EventMessage, Metadata, EventContext and DeadLetter");
        }
        if (payloads.isEmpty() && !typeIsNamed) {
            found.add("has no event type; add a payload parameter or name the type with @EventHandler(\"…\")");
        }
        payloads.forEach(parameter -> checkPayload(parameter, typeIsNamed, found));
        return found;
    }

    private static void checkPayload(Parameter parameter, boolean typeIsNamed, List<String> found) {
        Class<?> type = parameter.getType();
        if (type.isPrimitive() || type.isArray()) {
            found.add("declares the payload as " + type.getSimpleName()
                    + "; declare a dedicated class, such as a record");
        } else if (!(parameter.getParameterizedType() instanceof Class<?>)) {
            found.add("declares the payload as "
                    + parameter.getParameterizedType().getTypeName()
                    + ", which is decoded as a plain " + type.getSimpleName()
                    + "; declare a class without type parameters, in a method that has its own annotation");
        } else if (!typeIsNamed && !namesEventType(type)) {
            found.add("declares the payload as " + type.getSimpleName()
                    + ", which is not an event class; name the event type with @EventHandler(\"…\")");
        }
    }

    /** An event type is named after the class of an object, which is never abstract, unless an annotation names it. */
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

    /** Resolves one argument. */
    private interface Argument {

        @Nullable
        Object resolve(Payload payload, PayloadCodec codec, EventContext context);
    }
}

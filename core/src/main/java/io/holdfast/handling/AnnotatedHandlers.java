package io.holdfast.handling;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns the {@link EventHandler} methods of a plain object into handlers of a component. Mistakes are reported when the
 * component is created, all in one exception.
 */
final class AnnotatedHandlers {

    private final Supplier<?> target;
    private final Map<String, Method> methods = new TreeMap<>();
    private final List<String> mistakes = new ArrayList<>();

    private AnnotatedHandlers(Class<?> type, Supplier<?> target) {
        this.target = target;
        AnnotatedMethods.of(type).forEach(this::check);
        if (methods.isEmpty() && mistakes.isEmpty()) {
            mistakes.add(
                    type == Class.class && target.get() instanceof Class<?> wanted
                            ? "it is a class; pass an instance of " + wanted.getName()
                            : "no method is annotated; add @EventHandler to the methods that handle events");
        }
    }

    /** @throws PermanentException if the object cannot be used; the message lists every mistake */
    static void addTo(Component.Builder builder, String component, Class<?> type, Supplier<?> target) {
        AnnotatedHandlers handlers = new AnnotatedHandlers(type, target);
        if (!handlers.mistakes.isEmpty()) {
            throw new PermanentException("component " + component + " cannot be created from " + type.getName()
                    + ":\n  " + String.join("\n  ", handlers.mistakes));
        }
        handlers.methods.forEach((event, method) -> {
            new HandlerParameters(method).classOfPayload().ifPresent(payload -> builder.decoding(event, payload));
            builder.on(event, handlers.invocation(method));
        });
    }

    private void check(Method method, EventHandler annotation) {
        List<String> found = new ArrayList<>();
        boolean typeIsNamed = !annotation.value().isEmpty();
        if (Modifier.isStatic(method.getModifiers())) {
            found.add("is static; make it an instance method");
        }
        if (method.getReturnType() != void.class && !isAsync(method)) {
            found.add("returns " + method.getReturnType().getSimpleName()
                    + "; return void, or a CompletionStage for asynchronous work");
        }
        if (!isOpen(method)) {
            found.add("is not accessible; open package "
                    + method.getDeclaringClass().getPackageName() + " in its module");
        }
        HandlerParameters parameters = new HandlerParameters(method);
        found.addAll(parameters.mistakes(typeIsNamed));
        if (found.isEmpty()) {
            checkType(typeIsNamed ? annotation.value() : parameters.typeOfPayload(), method, found);
        }
        found.forEach(mistake -> mistakes.add(described(method) + " " + mistake));
    }

    private void checkType(String type, Method method, List<String> found) {
        try {
            Names.require("has an invalid @EventHandler name: event type", type);
        } catch (PermanentException e) {
            found.add(String.valueOf(e.getMessage()));
            return;
        }
        Method other = methods.putIfAbsent(type, method);
        if (other != null) {
            found.add("handles event type " + type + ", as does " + described(other) + "; keep one of them");
        }
    }

    private Component.Invocation invocation(Method method) {
        HandlerParameters parameters = new HandlerParameters(method);
        MethodHandle handle = handle(method);
        boolean async = isAsync(method);
        return (payload, codec, context) -> {
            Object result = call(handle, target.get(), parameters.resolve(payload, codec, context));
            if (async && result == null) {
                throw new PermanentException(
                        described(method) + " returned null instead of a CompletionStage for " + payload.type());
            }
            return (CompletionStage<?>) result;
        };
    }

    /** Returns a handle that takes the target and one array of all arguments. */
    private static MethodHandle handle(Method method) {
        try {
            return MethodHandles.lookup()
                    .unreflect(method)
                    .asSpreader(Object[].class, method.getParameterCount())
                    .asType(MethodType.methodType(Object.class, Object.class, Object[].class));
        } catch (IllegalAccessException e) {
            throw new PermanentException(described(method) + " cannot be called", e);
        }
    }

    /** Rethrows the handler's exception unwrapped, because policies check its type. */
    private static @Nullable Object call(MethodHandle handle, Object target, @Nullable Object[] arguments)
            throws Exception {
        try {
            return (Object) handle.invokeExact(target, arguments);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private static boolean isOpen(Method method) {
        try {
            method.setAccessible(true);
            return true;
        } catch (InaccessibleObjectException e) {
            return false;
        }
    }

    private static boolean isAsync(Method method) {
        return CompletionStage.class.isAssignableFrom(method.getReturnType());
    }

    private static String described(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(
                        ", ", method.getDeclaringClass().getName() + "." + method.getName() + "(", ")"));
    }
}

package io.holdfast.handling;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the handler methods of a class: its own, inherited ones and those of its interfaces. A method that overrides an
 * annotated one is a handler too, and counts once. Otherwise a proxy, whose methods have no annotations, would lose
 * events.
 */
final class AnnotatedMethods {

    private final List<Class<?>> lineage;

    private AnnotatedMethods(Class<?> type) {
        this.lineage = lineage(type);
    }

    /** Returns the handler methods, in an order that is the same in every run. */
    static Map<Method, EventHandler> of(Class<?> type) {
        return new AnnotatedMethods(type).find();
    }

    private Map<Method, EventHandler> find() {
        Map<Method, EventHandler> found = new LinkedHashMap<>();
        for (Class<?> type : lineage) {
            declared(type)
                    .filter(method -> method.isAnnotationPresent(EventHandler.class))
                    .filter(method -> !isReplaced(method))
                    .forEach(method ->
                            found.putIfAbsent(mostSpecific(method), method.getAnnotation(EventHandler.class)));
        }
        return found;
    }

    /** Returns the method that a call actually reaches. */
    private Method mostSpecific(Method method) {
        return lineage.stream()
                .flatMap(AnnotatedMethods::declared)
                .filter(other -> isSameOrOverrides(other, method))
                .findFirst()
                .orElse(method);
    }

    /**
     * Returns whether a subclass that binds a type variable replaces the method by an annotated one with another
     * signature, through a bridge method. That method is found separately.
     */
    private boolean isReplaced(Method method) {
        return Arrays.stream(method.getGenericParameterTypes()).anyMatch(TypeVariable.class::isInstance)
                && lineage.stream()
                        .filter(type -> Arrays.stream(type.getDeclaredMethods())
                                .anyMatch(bridge -> bridge.isBridge() && isSameSignature(bridge, method)))
                        .flatMap(AnnotatedMethods::declared)
                        .anyMatch(other -> other.getName().equals(method.getName())
                                && other.getParameterCount() == method.getParameterCount()
                                && other.isAnnotationPresent(EventHandler.class));
    }

    private static boolean isSameOrOverrides(Method other, Method method) {
        if (other.equals(method)) {
            return true;
        }
        return isSameSignature(other, method)
                && isVirtual(other)
                && isVirtual(method)
                && isVisible(method, other.getDeclaringClass());
    }

    private static boolean isSameSignature(Method one, Method other) {
        return one.getName().equals(other.getName())
                && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
    }

    private static boolean isVirtual(Method method) {
        return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
    }

    /** A package-private method can be overridden only within its package. */
    private static boolean isVisible(Method method, Class<?> from) {
        return Modifier.isPublic(method.getModifiers())
                || Modifier.isProtected(method.getModifiers())
                || method.getDeclaringClass().getPackageName().equals(from.getPackageName());
    }

    /** Returns the methods as written in the source, without bridges and other synthetic methods. */
    private static Stream<Method> declared(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .sorted(Comparator.comparing(Method::toString));
    }

    /** Returns the class and its superclasses, nearest first, then all their interfaces. */
    private static List<Class<?>> lineage(Class<?> type) {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> next = type; next != null && next != Object.class; next = next.getSuperclass()) {
            classes.add(next);
        }
        Set<Class<?>> all = new LinkedHashSet<>(classes);
        classes.forEach(next -> addInterfaces(next, all));
        return List.copyOf(all);
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
        for (Class<?> next : type.getInterfaces()) {
            all.add(next);
            addInterfaces(next, all);
        }
    }
}

package io.holdfast.processing;

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
 * The methods of a class that are marked as handlers: its own, inherited ones, those of its interfaces. A method that
 * overrides a marked one is marked too, and counts once: a proxy, whose methods carry no annotations, must not lose events.
 */
final class AnnotatedMethods {

    private final List<Class<?>> lineage;

    private AnnotatedMethods(Class<?> type) {
        this.lineage = lineage(type);
    }

    /** In an order that does not change from one run to the next. */
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

    /** What is called in place of a method. */
    private Method mostSpecific(Method method) {
        return lineage.stream()
                .flatMap(AnnotatedMethods::declared)
                .filter(other -> isSameOrOverrides(other, method))
                .findFirst()
                .orElse(method);
    }

    /**
     * A subclass that says what a type variable stands for overrides by a method of another signature, and by a bridge
     * that leads there. If that method is marked, it is found by itself.
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

    /** What is visible in its package only can be overridden there only. */
    private static boolean isVisible(Method method, Class<?> from) {
        return Modifier.isPublic(method.getModifiers())
                || Modifier.isProtected(method.getModifiers())
                || method.getDeclaringClass().getPackageName().equals(from.getPackageName());
    }

    /** As somebody wrote them: without bridges and what else a compiler adds. */
    private static Stream<Method> declared(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .sorted(Comparator.comparing(Method::toString));
    }

    /** The classes from the nearest to the farthest, then their interfaces. */
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

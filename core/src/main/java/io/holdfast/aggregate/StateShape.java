package io.holdfast.aggregate;

import io.holdfast.event.EventType;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A text that differs between two versions of an aggregate that could read different states from the same snapshot: the
 * fields of the state and of the folded events by name, generic type and Jackson annotations, recursively for the
 * application's own classes, and the event types that are folded or ignored. The same in every JVM.
 */
final class StateShape {

    private static final int HASH_BYTES = 8;

    private final StringBuilder text = new StringBuilder();
    private final Deque<Class<?>> open = new ArrayDeque<>();
    private final Set<Class<?>> seen = new HashSet<>();

    private StateShape() {}

    /** Returns the hash of the shape, 16 hexadecimal digits. */
    static String hash(Class<?> state, Stream<? extends Class<?>> events, Collection<String> ignored) {
        byte[] text = describe(state, events, ignored).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String describe(Class<?> state, Stream<? extends Class<?>> events, Collection<String> ignored) {
        StateShape shape = new StateShape();
        shape.add(state);
        events.sorted(Comparator.comparing(EventType.Of::name)).forEach(shape::addEvent);
        shape.text.append("ignored ").append(new TreeSet<>(ignored));
        return shape.text.toString();
    }

    private void addEvent(Class<?> event) {
        text.append("on ")
                .append(EventType.Of.name(event))
                .append('/')
                .append(EventType.Of.revision(event))
                .append('\n');
        add(event);
    }

    private void add(Class<?> root) {
        collect(root);
        for (Class<?> next = open.poll(); next != null; next = open.poll()) {
            describe(next);
        }
    }

    private void describe(Class<?> type) {
        text.append(annotations(type)).append("{\n");
        if (type.isEnum()) {
            Arrays.stream(type.getEnumConstants()).forEach(constant -> text.append(((Enum<?>) constant).name())
                    .append('\n'));
        } else {
            describeIfComplete(type);
        }
        text.append("}\n");
    }

    /** A library's class may refer to classes that are missing here, which does not matter unless they are used. */
    private void describeIfComplete(Class<?> type) {
        try {
            describeMembers(type);
        } catch (LinkageError e) {
            text.append(type.getName()).append('\n');
        }
    }

    private void describeMembers(Class<?> type) {
        Arrays.stream(type.getDeclaredFields())
                .filter(StateShape::isState)
                .sorted(Comparator.comparing(Field::getName))
                .forEach(this::describe);
        Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !annotations(method).isEmpty())
                .sorted(Comparator.comparing(Method::toString))
                .forEach(method -> text.append(method.getName())
                        .append("()")
                        .append(annotations(method))
                        .append('\n'));
        collect(type.getSuperclass());
        if (type.isSealed()) {
            text.append("permits ")
                    .append(Arrays.toString(type.getPermittedSubclasses()))
                    .append('\n');
            Arrays.stream(type.getPermittedSubclasses()).forEach(this::collect);
        }
    }

    private void describe(Field field) {
        text.append(field.getName())
                .append(':')
                .append(field.getGenericType().getTypeName())
                .append(annotations(field))
                .append('\n');
        collect(field.getGenericType());
    }

    private static boolean isState(Field field) {
        return !field.isSynthetic() && (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0;
    }

    /** Returns the annotations that change the JSON. */
    private static String annotations(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .map(Annotation::toString)
                .filter(annotation -> annotation.contains(".jackson."))
                .sorted()
                .collect(Collectors.joining());
    }

    /** Collects the application's own classes in a type, unless they were collected before. */
    private void collect(@Nullable Type type) {
        if (type instanceof Class<?> simple) {
            Class<?> element = simple;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            if (isOwn(element) && seen.add(element)) {
                open.add(element);
            }
        } else if (type instanceof ParameterizedType parameterized) {
            collect(parameterized.getRawType());
            Arrays.stream(parameterized.getActualTypeArguments()).forEach(this::collect);
        } else if (type instanceof GenericArrayType array) {
            collect(array.getGenericComponentType());
        } else if (type instanceof WildcardType wildcard) {
            Arrays.stream(wildcard.getUpperBounds()).forEach(this::collect);
        }
    }

    /** Classes of the Java platform are described by their names. */
    private static boolean isOwn(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null && loader != ClassLoader.getPlatformClassLoader();
    }
}

package io.holdfast.memory;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A copy of everything that an in-memory store contains, by reflection: all fields of the classes of its package, and
 * the content of their collections, at any depth.
 */
final class InMemoryBackup {

    private static final String PACKAGE = InMemoryStore.class.getPackageName();

    private final Map<Object, Boolean> visited = new IdentityHashMap<>();
    private final List<Runnable> restores = new ArrayList<>();

    /** @param roots their fields are restored, not replaced, so references to them stay valid */
    InMemoryBackup(Object... roots) {
        for (Object root : roots) {
            copy(root);
        }
    }

    void restore() {
        restores.forEach(Runnable::run);
    }

    private void copy(@Nullable Object object) {
        if (object == null || visited.put(object, true) != null) {
            return;
        }
        if (object instanceof Map<?, ?> map) {
            copyMap(map);
        } else if (object instanceof Collection<?> collection) {
            copyCollection(collection);
        } else if (object.getClass().getPackageName().equals(PACKAGE) && !isFunction(object)) {
            copyFields(object);
        }
    }

    @SuppressWarnings("unchecked") // the same map gets back its own content
    private void copyMap(Map<?, ?> map) {
        Map<Object, Object> content = new LinkedHashMap<>(map);
        content.values().forEach(this::copy);
        restores.add(() -> {
            map.clear();
            ((Map<Object, Object>) map).putAll(content);
        });
    }

    @SuppressWarnings("unchecked") // the same collection gets back its own content
    private void copyCollection(Collection<?> collection) {
        if (collection.getClass().getName().contains("Immutable")) {
            return;
        }
        List<Object> content = new ArrayList<>(collection);
        content.forEach(this::copy);
        restores.add(() -> {
            collection.clear();
            ((Collection<Object>) collection).addAll(content);
        });
    }

    private void copyFields(Object object) {
        for (Field field : object.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            field.setAccessible(true);
            Object value = get(field, object);
            copy(value);
            if (!Modifier.isFinal(field.getModifiers())) {
                restores.add(() -> set(field, object, value));
            }
        }
    }

    private static boolean isFunction(Object object) {
        return object.getClass().isSynthetic() || object.getClass().isHidden();
    }

    private static @Nullable Object get(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static void set(Field field, Object object, @Nullable Object value) {
        try {
            field.set(object, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}

package io.holdfast.spring;

import io.holdfast.spring.properties.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Resolves an optional bean, and fails instead of guessing if there are several. */
final class UniqueBean {

    private UniqueBean() {}

    /**
     * Returns the only bean or the primary one; null if no bean exists.
     *
     * @throws InvalidConfigurationException if there are several and none is primary
     */
    static <T> @Nullable T of(Class<T> type, ObjectProvider<T> beans) {
        T found = beans.getIfUnique();
        if (found == null && beans.stream().findAny().isPresent()) {
            throw new InvalidConfigurationException("there are several " + type.getSimpleName()
                    + " beans and none is primary; mark the one that Holdfast should use as @Primary");
        }
        return found;
    }
}

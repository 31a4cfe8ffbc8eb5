package io.holdfast.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** A bean that there may be one of: what is taken of several must not be a guess. */
final class UniqueBean {

    private UniqueBean() {}

    /**
     * The only one, or the primary one; null if there is none.
     *
     * @throws InvalidConfigurationException if there are several, and none of them is primary
     */
    static <T> @Nullable T of(Class<T> type, ObjectProvider<T> beans) {
        T found = beans.getIfUnique();
        if (found == null && beans.stream().findAny().isPresent()) {
            throw new InvalidConfigurationException("there are several " + type.getSimpleName()
                    + " beans, and none of them is primary; mark the one that Holdfast is to use as @Primary");
        }
        return found;
    }
}

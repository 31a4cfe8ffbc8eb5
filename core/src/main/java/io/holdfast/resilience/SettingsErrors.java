package io.holdfast.resilience;

import io.holdfast.InvalidSettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Collects invalid settings, so that they are reported together. */
final class SettingsErrors {

    private final List<String> found = new ArrayList<>();

    <T> void check(String key, @Nullable T value, Predicate<T> allowed, String whatIsAllowed) {
        if (value != null && !allowed.test(value)) {
            found.add(key + " is " + value + ", but must be " + whatIsAllowed);
        }
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new InvalidSettingsException(found);
        }
    }
}

package io.holdfast.resilience;

import io.holdfast.InvalidSettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong, so that it can be said at once. */
final class SettingsErrors {

    private final List<String> found = new ArrayList<>();

    <T> void check(String key, @Nullable T value, Predicate<T> allowed, String whatIsAllowed) {
        if (value != null && !allowed.test(value)) {
            found.add(key + " is " + value + ", allowed is " + whatIsAllowed);
        }
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new InvalidSettingsException(found);
        }
    }
}

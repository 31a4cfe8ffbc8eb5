package io.holdfast.examples.shop.web;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Says in words what a caller must give. */
final class Expected {

    private static final Set<Class<?>> WHOLE_NUMBERS = Set.of(int.class, Integer.class, long.class, Long.class);

    private Expected() {}

    static String of(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        }
        if (WHOLE_NUMBERS.contains(type)) {
            return "a whole number that is not too large";
        }
        if (Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a text";
        }
        return Iterable.class.isAssignableFrom(type) ? "a list" : "an object";
    }
}

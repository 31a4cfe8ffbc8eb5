package io.holdfast.examples.shop.web;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes the value that a field or parameter of a type accepts, for error messages. */
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
            return "an integer within the supported range";
        }
        if (Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a string";
        }
        return Iterable.class.isAssignableFrom(type) ? "an array" : "an object";
    }
}

package io.holdfast.admin.web;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of a request and collects all errors. Not thread-safe. */
final class Parameters {

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> errors = new ArrayList<>();

    /** @param known the valid names; others are rejected, because a misspelled filter would match everything */
    Parameters(Map<String, String[]> given, Set<String> known) {
        given.forEach((name, texts) -> {
            if (!known.contains(name)) {
                errors.add(name + " is not a parameter; the parameters are " + String.join(", ", known));
            } else if (texts.length > 1) {
                errors.add(name + " must be given once, but is given " + texts.length + " times");
            } else if (!texts[0].isBlank()) { // "status=" means no filter
                values.put(name, texts[0].strip());
            }
        });
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    /** Returns what selects the values that equal the parameter; all of them if it is missing. */
    Predicate<String> matching(String name) {
        String text = values.get(name);
        return value -> text == null || text.equals(value);
    }

    int number(String name, int defaultValue, int min, int max) {
        String text = values.get(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        String allowed = max == Integer.MAX_VALUE ? min + " or more" : min + " to " + max;
        errors.add(name + " must be a number, " + allowed + ", but is " + text);
        return defaultValue;
    }

    <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) {
        String text = values.get(name);
        if (text == null) {
            return null;
        }
        Optional<E> found = Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst();
        if (found.isEmpty()) {
            errors.add(name + " must be one of " + Arrays.toString(type.getEnumConstants()) + ", but is " + text);
        }
        return found.orElse(null);
    }

    /** Returns the constants that are separated by commas; empty if the parameter is missing. */
    <E extends Enum<E>> List<E> severalOf(String name, Class<E> type) {
        String text = values.get(name);
        if (text == null) {
            return List.of();
        }
        List<E> found = Arrays.stream(type.getEnumConstants())
                .filter(constant -> names(text).contains(constant.name()))
                .toList();
        if (found.size() < names(text).size()) {
            errors.add(name + " must be one or several of " + Arrays.toString(type.getEnumConstants())
                    + ", separated by commas, but is " + text);
        }
        return found;
    }

    private static Set<String> names(String text) {
        return Arrays.stream(text.toUpperCase(Locale.ROOT).split(","))
                .map(String::strip)
                .collect(Collectors.toSet());
    }

    /** @return null if the parameter is missing */
    @Nullable
    Instant time(String name) {
        return parsed(name, Parameters::toInstant, "a time such as 2026-01-31T08:00:00Z");
    }

    private static Optional<Instant> toInstant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** @return null if the parameter is missing */
    @Nullable
    UUID uuid(String name) {
        return parsed(name, Parameters::toUuid, "a UUID");
    }

    private static Optional<UUID> toUuid(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** @param defaultValue the value if the parameter is missing; null if it is required */
    boolean flag(String name, @Nullable Boolean defaultValue) {
        String text = values.get(name);
        if (text == null && defaultValue != null) {
            return defaultValue;
        }
        if (text == null || !(text.equals("true") || text.equals("false"))) {
            errors.add(name + " must be true or false, but is " + (text == null ? "missing" : text));
        }
        return "true".equals(text);
    }

    /** @return null if the parameter is missing */
    @Nullable
    Boolean optionalFlag(String name) {
        return values.containsKey(name) ? (Boolean) flag(name, null) : null;
    }

    /**
     * @param parse returns empty if the text is invalid
     * @param allowed describes valid texts
     */
    <T> @Nullable T parsed(String name, Function<String, Optional<T>> parse, String allowed) {
        String text = values.get(name);
        if (text == null) {
            return null;
        }
        Optional<T> parsed = parse.apply(text);
        if (parsed.isEmpty()) {
            errors.add(name + " must be " + allowed + ", but is " + text);
        }
        return parsed.orElse(null);
    }

    /** @throws AdminProblem with all errors */
    void requireValid() {
        if (!errors.isEmpty()) {
            throw AdminProblem.invalidParameters(errors);
        }
    }
}

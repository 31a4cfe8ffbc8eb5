package io.holdfast.admin.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of a request, and remembers all that is wrong with them. For one thread. */
final class Parameters {

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> errors = new ArrayList<>();

    /** @param known the names that mean something; others are refused, or a misspelled filter would find everything */
    Parameters(Map<String, String[]> given, Set<String> known) {
        given.forEach((name, texts) -> {
            if (!known.contains(name)) {
                errors.add(name + " is not a parameter; there are " + String.join(", ", known));
            } else if (texts.length > 1) {
                errors.add(name + " must be given once, but is given " + texts.length + " times");
            } else if (!texts[0].isBlank()) { // "status=" is the same as nothing
                values.put(name, texts[0].strip());
            }
        });
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    int number(String name, int otherwise, int least, int most) {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        String allowed = most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most;
        errors.add(name + " must be a number, " + allowed + ", but is " + text);
        return otherwise;
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

    /** @param otherwise what it is if it is not given; null if it must be */
    boolean flag(String name, @Nullable Boolean otherwise) {
        String text = values.get(name);
        if (text == null && otherwise != null) {
            return otherwise;
        }
        if (text == null || !(text.equals("true") || text.equals("false"))) {
            errors.add(name + " must be true or false, but is " + (text == null ? "missing" : text));
        }
        return "true".equals(text);
    }

    /** @throws AdminProblem that names everything that was wrong */
    void requireValid() {
        if (!errors.isEmpty()) {
            throw AdminProblem.invalidParameters(errors);
        }
    }
}

package io.holdfast.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Options of the form {@code --name=value}. Each benchmark declares the names that it accepts. */
final class Options {

    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = values;
    }

    static Options parse(String... arguments) {
        Map<String, String> values = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith("--") || equals < 0) {
                throw new InvalidOptionException("invalid option " + argument + ", expected --name=value");
            }
            values.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        return new Options(values);
    }

    Options requireKnown(String... names) {
        for (String name : values.keySet()) {
            if (!Set.of(names).contains(name)) {
                throw new InvalidOptionException("this benchmark has no option --" + name);
            }
        }
        return this;
    }

    long number(String name, long defaultValue) {
        String value = values.get(name);
        if (value == null) {
            return defaultValue;
        }
        try {
            long number = Long.parseLong(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is too small.
        }
        throw new InvalidOptionException("--" + name + " must be an integer above 0, but is " + value);
    }

    List<String> names(String name, String... all) {
        String value = values.get(name);
        if (value == null) {
            return List.of(all);
        }
        List<String> selected = List.of(value.split(",", -1));
        for (String one : selected) {
            if (!List.of(all).contains(one)) {
                throw new InvalidOptionException(
                        "--" + name + " accepts " + String.join(", ", all) + ", but not " + one);
            }
        }
        return selected;
    }
}

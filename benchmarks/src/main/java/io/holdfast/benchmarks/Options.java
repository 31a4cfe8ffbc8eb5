package io.holdfast.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Options of the form {@code --name=value}. Each benchmark says which it knows. */
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
                throw new InvalidOptionException("options look like --name=value, not " + argument);
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

    long number(String name, long otherwise) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number that is too small.
        }
        throw new InvalidOptionException("--" + name + " takes a number above 0, not " + value);
    }

    List<String> names(String name, String... all) {
        String value = values.get(name);
        if (value == null) {
            return List.of(all);
        }
        List<String> chosen = List.of(value.split(",", -1));
        for (String one : chosen) {
            if (!List.of(all).contains(one)) {
                throw new InvalidOptionException("--" + name + " takes some of " + List.of(all) + ", not " + one);
            }
        }
        return chosen;
    }
}

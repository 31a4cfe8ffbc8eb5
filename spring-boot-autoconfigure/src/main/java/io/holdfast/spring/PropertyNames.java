package io.holdfast.spring;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The names below {@code framework.}: those that are bound, and those of the contract that a later version will use. */
final class PropertyNames {

    static final String ROOT = "framework";

    /** In place of a name that the user chooses. */
    static final String ANY = "*";

    /** Known to readers of the documentation, and without effect yet. */
    static final Set<String> NOT_YET_SUPPORTED = Set.of(
            "framework.dlq.auto-replay",
            "framework.dlq.entry-ttl",
            "framework.dlq.map-name",
            "framework.dlq.max-replay-attempts",
            "framework.dlq.payload",
            "framework.idempotency.map-name",
            "framework.security",
            "saga.timeout");

    /** Used by the operators' API, which may not be there. */
    static final Set<String> BOUND_ELSEWHERE = Set.of("framework.fault-injection");

    /** A wrong name is taken for another one if at most this share of it differs. */
    private static final double MAX_RELATIVE_DISTANCE = 0.25;

    private PropertyNames() {}

    /** All that are bound, with {@link #ANY} in them. */
    static List<String> bound() {
        List<String> names = new ArrayList<>();
        collect(ROOT, HoldfastProperties.class, names);
        return names;
    }

    /** The name that was probably meant. */
    static Optional<String> findSimilar(String wrong) {
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String known : bound()) {
            String candidate = fillPlaceholder(known, wrong);
            int distance = distance(candidate, wrong);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return least <= Math.max(2, wrong.length() * MAX_RELATIVE_DISTANCE)
                ? Optional.ofNullable(best)
                : Optional.empty();
    }

    private static void collect(String prefix, Class<?> type, List<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                collect(name, component.getType(), names);
            } else if (component.getType() == Map.class) {
                ParameterizedType map = (ParameterizedType) component.getGenericType();
                collect(name + "." + ANY, (Class<?>) map.getActualTypeArguments()[1], names);
            } else {
                names.add(name);
            }
        }
    }

    /** With the user's own name, if the wrong name has one at that place. */
    private static String fillPlaceholder(String known, String wrong) {
        int place = known.indexOf(ANY);
        if (place < 0 || !wrong.startsWith(known.substring(0, place))) {
            return known;
        }
        int end = wrong.indexOf('.', place);
        return known.replace(ANY, end < 0 ? wrong.substring(place) : wrong.substring(place, end));
    }

    /** How many characters have to be put in, taken out or changed. */
    private static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[other.length()];
    }
}

package io.holdfast.spring.properties;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/**
 * Names of the properties below {@code framework} and {@code saga}: those that are bound, and those that a later version
 * supports.
 */
final class PropertyNames {

    static final String ROOT = "framework";

    static final String SAGA_ROOT = "saga";

    /** Placeholder for a name that the user chooses. */
    static final String ANY = "*";

    /** Documented, but without effect yet. */
    static final Set<String> NOT_YET_SUPPORTED = Set.of(
            "framework.dlq.auto-replay",
            "framework.dlq.map-name",
            "framework.dlq.payload",
            "framework.idempotency.map-name",
            "framework.security");

    /** Bound by the operators' API, which is optional. */
    static final Set<String> BOUND_ELSEWHERE = Set.of("framework.fault-injection");

    /** Share of an unknown name that may differ from a known one to be suggested. */
    private static final double MAX_RELATIVE_DISTANCE = 0.25;

    private PropertyNames() {}

    /** Returns all bound names, with {@link #ANY} as placeholder. */
    static List<String> bound() {
        List<String> names = new ArrayList<>();
        collect(ROOT, HoldfastProperties.class, names);
        collect(SAGA_ROOT, SagaProperties.class, names);
        return names;
    }

    /** Returns the known name that is most similar to an unknown one, if it is similar enough. */
    static Optional<String> findSimilar(String unknown) {
        String best = null;
        int shortest = Integer.MAX_VALUE;
        for (String known : bound()) {
            String candidate = fillPlaceholder(known, unknown);
            int distance = distance(candidate, unknown);
            if (distance < shortest) {
                shortest = distance;
                best = candidate;
            }
        }
        return shortest <= Math.max(2, unknown.length() * MAX_RELATIVE_DISTANCE)
                ? Optional.ofNullable(best)
                : Optional.empty();
    }

    private static void collect(String prefix, Class<?> type, List<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType() == Map.class) {
                ParameterizedType map = (ParameterizedType) component.getGenericType();
                add(name + "." + ANY, (Class<?>) map.getActualTypeArguments()[1], names);
            } else {
                add(name, component.getType(), names);
            }
        }
    }

    private static void add(String name, Class<?> type, List<String> names) {
        if (type.isRecord()) {
            collect(name, type, names);
        } else {
            names.add(name);
        }
    }

    /** Replaces the placeholder by the user's name, if the unknown name has one at that index. */
    private static String fillPlaceholder(String known, String unknown) {
        int start = known.indexOf(ANY);
        if (start < 0 || !unknown.startsWith(known.substring(0, start))) {
            return known;
        }
        int end = unknown.indexOf('.', start);
        return known.replace(ANY, end < 0 ? unknown.substring(start) : unknown.substring(start, end));
    }

    /** Returns the Levenshtein distance. */
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

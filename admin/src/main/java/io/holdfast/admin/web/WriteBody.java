package io.holdfast.admin.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The body of a write. Unknown fields are rejected: a misspelled one would be ignored silently.
 *
 * @param fields all fields
 */
record WriteBody(@Nullable String reason, boolean force, Map<String, Object> fields) {

    /** @param known the names of the fields besides {@code reason} and {@code force} */
    static WriteBody of(@Nullable Map<String, Object> body, Set<String> known) {
        Map<String, Object> fields = body == null ? Map.of() : body;
        List<String> errors = new ArrayList<>();
        Set<String> names = new TreeSet<>(ActionRequests.FIELDS);
        names.addAll(known);
        fields.keySet().stream()
                .filter(name -> !names.contains(name))
                .map(name -> name + " is not a field; the fields are " + String.join(", ", names))
                .forEach(errors::add);
        if (fields.get("reason") != null && !(fields.get("reason") instanceof String)) {
            errors.add("reason must be a text");
        }
        if (fields.get("force") != null && !(fields.get("force") instanceof Boolean)) {
            errors.add("force must be true or false");
        }
        if (!errors.isEmpty()) {
            throw AdminProblem.invalidParameters(errors);
        }
        return new WriteBody((String) fields.get("reason"), Boolean.TRUE.equals(fields.get("force")), fields);
    }
}

package io.holdfast.admin.web;

import io.holdfast.action.Action;
import io.holdfast.admin.gateway.OperatorProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The request to replace the payload of a letter. */
record EditRequest(String payload, boolean replays, @Nullable String reason, String expectedVersion) {

    private static final Set<String> FIELDS = new TreeSet<>(Set.of("payload", "replay", "reason"));

    /** Keeps numbers exactly as they are written. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** @param ifMatch the {@code ETag} of the entry that the operator has read */
    static EditRequest of(String body, @Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.isBlank()) {
            throw OperatorProblem.of(
                    428,
                    "if-match-required",
                    "If-Match required",
                    "an edit must name the version that was read",
                    "Read the entry, and repeat the request with its ETag in the header If-Match");
        }
        JsonNode fields = parse(body);
        requireValid(fields);
        return new EditRequest(
                fields.path("payload").toString(),
                fields.path("replay").asBoolean(false),
                fields.path("reason").asString(null),
                unquoted(ifMatch));
    }

    private static JsonNode parse(String body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException e) {
            throw AdminProblem.invalidParameters(List.of("the body is not JSON: " + e.getOriginalMessage()));
        }
    }

    private static void requireValid(JsonNode fields) {
        List<String> errors = new ArrayList<>();
        if (!fields.isObject()) {
            errors.add("the body must be an object with " + String.join(", ", FIELDS));
        }
        fields.propertyNames().stream()
                .filter(name -> !FIELDS.contains(name))
                .map(name -> name + " is not a field; the fields are " + String.join(", ", FIELDS))
                .forEach(errors::add);
        if (fields.isObject() && !fields.has("payload")) {
            errors.add("payload is missing");
        }
        if (fields.has("replay") && !fields.path("replay").isBoolean()) {
            errors.add("replay must be true or false");
        }
        if (fields.has("reason") && !fields.path("reason").isString()) {
            errors.add("reason must be a text");
        }
        if (!errors.isEmpty()) {
            throw AdminProblem.invalidParameters(errors);
        }
    }

    private static String unquoted(String tag) {
        return tag.strip().replaceAll("^(W/)?\"|\"$", "");
    }

    Map<String, String> options() {
        return Map.of(
                Action.PAYLOAD,
                payload,
                Action.REPLAYS,
                Boolean.toString(replays),
                Action.EXPECTED_VERSION,
                expectedVersion);
    }
}

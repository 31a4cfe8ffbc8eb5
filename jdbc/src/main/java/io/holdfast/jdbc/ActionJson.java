package io.holdfast.jdbc;

import io.holdfast.action.Requester;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Stores options and requesters as JSON. Skips properties that a later release may add. */
final class ActionJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final TypeReference<Map<String, String>> OPTIONS = new TypeReference<>() {};

    private ActionJson() {}

    static @Nullable String options(Map<String, String> options) {
        return options.isEmpty() ? null : JSON.writeValueAsString(options);
    }

    static Map<String, String> readOptions(@Nullable String json) {
        return json == null ? Map.of() : JSON.readValue(json, OPTIONS);
    }

    static String requester(Requester requester) {
        return JSON.writeValueAsString(requester);
    }

    static Requester readRequester(String json) {
        return JSON.readValue(json, Requester.class);
    }
}

package io.holdfast.jdbc;

import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import io.holdfast.event.Metadata;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Converts the text columns of letters to and from JSON. Shared by all adapters of these tables. */
public final class LetterJson {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<List<StoredAttempt>> ATTEMPTS = new TypeReference<>() {};
    private static final TypeReference<List<String>> TEXTS = new TypeReference<>() {};
    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};

    private LetterJson() {}

    public static String metadata(Metadata metadata) {
        return EventColumns.metadata(metadata);
    }

    public static Metadata metadata(String text) {
        return Metadata.of(JSON.readValue(text, STRINGS));
    }

    public static String attempts(List<Attempt> attempts) {
        return JSON.writeValueAsString(attempts.stream().map(StoredAttempt::of).toList());
    }

    public static List<Attempt> attempts(String text) {
        return JSON.readValue(text, ATTEMPTS).stream()
                .map(StoredAttempt::attempt)
                .toList();
    }

    public static String diagnostics(Map<String, String> diagnostics) {
        return JSON.writeValueAsString(diagnostics);
    }

    public static Map<String, String> diagnostics(String text) {
        return JSON.readValue(text, STRINGS);
    }

    /** @return the JSON of a cause, or null if there is none */
    static @Nullable String cause(@Nullable Cause cause) {
        return cause == null ? null : JSON.writeValueAsString(cause);
    }

    static @Nullable Cause cause(@Nullable String text) {
        return text == null ? null : JSON.readValue(text, Cause.class);
    }

    /** @return the JSON of a cause's chain, or null if the chain is empty */
    public static @Nullable String chain(List<String> chain) {
        return chain.isEmpty() ? null : JSON.writeValueAsString(chain);
    }

    public static List<String> chain(@Nullable String text) {
        return text == null ? List.of() : JSON.readValue(text, TEXTS);
    }

    /**
     * The stored form of an attempt.
     *
     * @param by null in attempts that were stored before this field existed
     */
    private record StoredAttempt(String at, String failure, @Nullable String by) {

        static StoredAttempt of(Attempt attempt) {
            return new StoredAttempt(
                    attempt.at().truncatedTo(ChronoUnit.MICROS).toString(), attempt.failure(), attempt.by());
        }

        Attempt attempt() {
            return new Attempt(Instant.parse(at), failure, Objects.requireNonNullElse(by, ""));
        }
    }
}

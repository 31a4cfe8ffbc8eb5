package io.holdfast.admin.web;

import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.event.EventIds;
import io.holdfast.event.Names;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what all writes have in common: the {@code Idempotency-Key}, the reason, and whether to force. Thread-safe. */
final class ActionRequests {

    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** The fields of the body of every write. */
    static final Set<String> FIELDS = Set.of("reason", "force");

    private static final int MAX_KEY_LENGTH = 255;
    private static final int MAX_REASON_LENGTH = 2_000;

    private final Operators operators;
    private final Clock clock;

    ActionRequests(Operators operators, Clock clock) {
        this.operators = operators;
        this.clock = clock;
    }

    Operator operator(HttpServletRequest request) {
        return operators.of(request);
    }

    /**
     * Creates the submission of a request.
     *
     * @param scope what the key identifies a request for: the same key of the same operator in another scope is another
     *     request
     */
    Submission submission(
            HttpServletRequest request,
            String scope,
            String kind,
            String target,
            Map<String, String> options,
            WriteBody body) {
        requireStorable("reason", body.reason(), MAX_REASON_LENGTH);
        return new Submission(actionId(request, scope), kind, target, options, body.reason(), body.force());
    }

    /** Rejects a text that the owner's store would refuse. */
    static void requireStorable(String name, @Nullable String text, int maxLength) {
        if (text != null && (text.length() > maxLength || !Names.isStorable(text))) {
            throw AdminProblem.invalidParameters(List.of(name + " must have at most " + maxLength
                    + " characters, without NUL and unpaired surrogates, but has " + text.length()));
        }
    }

    /** A request without a key is identified by a new id, so a repetition of it is another request. */
    private String actionId(HttpServletRequest request, String scope) {
        String key = request.getHeader(IDEMPOTENCY_KEY);
        if (key == null) {
            return EventIds.random(clock.instant()).toString();
        }
        requireValid(key);
        String operator = operators.of(request).name();
        return EventIds.ofCommand("action " + scope + " " + operator, key).toString();
    }

    private static void requireValid(@Nullable String key) {
        if (key == null || key.isBlank() || key.length() > MAX_KEY_LENGTH) {
            throw AdminProblem.invalidParameters(
                    List.of(IDEMPOTENCY_KEY + " must have 1 to " + MAX_KEY_LENGTH + " characters, but is " + key));
        }
    }
}

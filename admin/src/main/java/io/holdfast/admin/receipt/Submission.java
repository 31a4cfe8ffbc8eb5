package io.holdfast.admin.receipt;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request for an action, as the gateway sends it to the owner.
 *
 * @param actionId identifies the request: repeated under the same id, it takes effect once
 * @param kind what to do, for example {@code REPLAY}; text, because the owner may be of another version
 * @param target the entry, processor, saga, ... that the action is about
 * @param options parameters of the kind
 * @param reason why the operator requests it
 * @param force whether to ignore the guards that would refuse the action; only for {@link
 *     io.holdfast.admin.gateway.Role#ADMIN}
 */
public record Submission(
        String actionId,
        String kind,
        String target,
        @Nullable Map<String, String> options,
        @Nullable String reason,
        boolean force) {

    public Submission {
        options = options == null ? Map.of() : Map.copyOf(options);
        reason = reason == null || reason.isBlank() ? null : reason.strip();
    }

    public Submission(String actionId, String kind, String target) {
        this(actionId, kind, target, Map.of(), null, false);
    }

    /** Returns the content without the id: two requests with the same id must not differ in it. */
    String content() {
        return kind + "\n" + target + "\n" + new TreeMap<>(options) + "\n" + reason + "\n" + force;
    }
}

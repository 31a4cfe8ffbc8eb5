package io.holdfast.saga;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tag under which a saga's row is indexed: {@code <type>/<status>}, followed by {@code !} if an operator must look
 * at it, and by {@code ~} while its deadline is suspended. A list by type, status and attention is a union of exact
 * tags, so it needs no scan.
 */
final class SagaTag {

    private static final String ATTENTION = "!";
    private static final String SUSPENDED = "~";

    private SagaTag() {}

    static String of(SagaState saga, SagaFacts facts) {
        SagaStatus status = facts.status();
        boolean suspended =
                status.isOpen() && saga.deadline() != null && saga.deadline().suspended() != null;
        return tag(saga.sagaType(), status, saga.needsAttention(facts), suspended);
    }

    /**
     * Returns the tags of the sagas that match. Null matches everything, except that placeholders are listed only by
     * their status.
     *
     * @param types the types to list
     */
    static List<String> matching(Collection<String> types, @Nullable SagaStatus status, @Nullable Boolean attention) {
        List<SagaStatus> statuses = status != null
                ? List.of(status)
                : Stream.of(SagaStatus.values())
                        .filter(each -> each != SagaStatus.PLACEHOLDER)
                        .toList();
        List<Boolean> flags = attention == null ? List.of(false, true) : List.of(attention);
        List<String> tags = new ArrayList<>();
        for (String type : types) {
            for (SagaStatus each : statuses) {
                for (boolean flag : flags) {
                    tags.add(tag(type, each, flag, false));
                    if (each.isOpen()) {
                        tags.add(tag(type, each, flag, true));
                    }
                }
            }
        }
        return tags;
    }

    /** Returns the tags of the sagas whose deadline is suspended. */
    static List<String> suspended(Collection<String> types) {
        return matching(types, null, null).stream()
                .filter(tag -> tag.endsWith(SUSPENDED))
                .toList();
    }

    private static String tag(String type, SagaStatus status, boolean attention, boolean suspended) {
        return type + "/" + status + (attention ? ATTENTION : "") + (suspended ? SUSPENDED : "");
    }
}

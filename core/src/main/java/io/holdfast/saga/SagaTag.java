package io.holdfast.saga;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tag under which a saga's row is indexed: {@code <type>/<status>}, followed by {@code !} if an operator must look
 * at it, and by {@code ~} while its deadline is suspended. A list by type, status and attention is a union of exact
 * tags, so it needs no scan. STARTED and IN_PROGRESS share the status OPEN: a saga that makes progress keeps its place in
 * the index, which would otherwise cost more than the rest of its row.
 */
final class SagaTag {

    private static final String OPEN = "OPEN";
    private static final String ATTENTION = "!";
    private static final String SUSPENDED = "~";

    private static final Set<String> FINAL = Stream.of(SagaStatus.values())
            .filter(SagaStatus::isFinal)
            .map(SagaStatus::name)
            .collect(Collectors.toUnmodifiableSet());

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
     * @param status an open one matches all open sagas
     */
    static List<String> matching(Collection<String> types, @Nullable SagaStatus status, @Nullable Boolean attention) {
        List<SagaStatus> statuses = status != null
                ? List.of(status)
                : Stream.of(SagaStatus.values())
                        .filter(each -> each != SagaStatus.PLACEHOLDER)
                        .toList();
        return withStatuses(types, statuses, attention);
    }

    /** As {@link #matching(Collection, SagaStatus, Boolean)}, for several statuses. */
    static List<String> withStatuses(
            Collection<String> types, Collection<SagaStatus> statuses, @Nullable Boolean attention) {
        List<Boolean> flags = attention == null ? List.of(false, true) : List.of(attention);
        Set<String> tags = new LinkedHashSet<>();
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
        return List.copyOf(tags);
    }

    /** Returns the tags of the sagas whose deadline is suspended. */
    static List<String> suspended(Collection<String> types) {
        return matching(types, null, null).stream()
                .filter(tag -> tag.endsWith(SUSPENDED))
                .toList();
    }

    /** Returns whether a saga with this tag has ended. */
    static boolean isFinal(String tag) {
        String status = tag.substring(tag.lastIndexOf('/') + 1).replace(ATTENTION, "");
        return FINAL.contains(status);
    }

    private static String tag(String type, SagaStatus status, boolean attention, boolean suspended) {
        return type + "/" + (status.isOpen() ? OPEN : status) + (attention ? ATTENTION : "")
                + (suspended ? SUSPENDED : "");
    }
}

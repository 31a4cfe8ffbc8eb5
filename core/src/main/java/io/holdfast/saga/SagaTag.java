package io.holdfast.saga;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tag under which a saga's row is indexed: {@code <type>/<status>}, followed by {@code !} if an operator must look
 * at it. A list by type, status and attention is a union of exact tags, so it needs no scan.
 */
public final class SagaTag {

    private static final String ATTENTION = "!";

    private SagaTag() {}

    public static String of(SagaState saga) {
        return tag(saga.sagaType(), saga.status(), saga.attentionReason().isPresent());
    }

    /**
     * Returns the tags of the sagas that match. Null matches everything, except that placeholders are listed only by
     * their status.
     *
     * @param types the types to list
     */
    public static List<String> matching(
            Collection<String> types, @Nullable SagaStatus status, @Nullable Boolean attention) {
        List<SagaStatus> statuses = status != null
                ? List.of(status)
                : Stream.of(SagaStatus.values())
                        .filter(each -> each != SagaStatus.PLACEHOLDER)
                        .toList();
        List<Boolean> flags = attention == null ? List.of(false, true) : List.of(attention);
        return types.stream()
                .flatMap(
                        type -> statuses.stream().flatMap(each -> flags.stream().map(flag -> tag(type, each, flag))))
                .toList();
    }

    private static String tag(String type, SagaStatus status, boolean attention) {
        return type + "/" + status + (attention ? ATTENTION : "");
    }
}

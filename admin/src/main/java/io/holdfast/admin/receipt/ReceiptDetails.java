package io.holdfast.admin.receipt;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.deadletter.Cause;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What became of an action, so far. The outcomes were committed together with their effects.
 *
 * @param state OPEN while items are open, otherwise DONE; STOPPED if an operator has stopped it
 * @param operator who requested the action, with the role at that time
 * @param via where the request entered the system
 * @param totals {@code selected}, {@code open}, and the number of items of each outcome that occurred; {@code selected}
 *     is the sum of all others
 * @param alsoHandled the number of letters that were not selected, but followed the selected ones automatically
 * @param parts how many items each owner has
 * @param missing the owners that were addressed, but have no part
 * @param items a page of the items, in the order of the action
 * @param next where the next page of items starts; null after the last one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReceiptDetails(
        String receiptId,
        String kind,
        String state,
        String target,
        Map<String, String> options,
        String operator,
        String role,
        @Nullable String reason,
        Instant requestedAt,
        @Nullable Instant endedAt,
        Operator.Via via,
        Map<String, Long> totals,
        long alsoHandled,
        List<Part> parts,
        List<String> missing,
        List<Item> items,
        @Nullable String next) {

    /** The part of one owner. */
    public record Part(String service, long selected) {}

    /**
     * One letter, or one target of another operation.
     *
     * @param dlqEntryId the entry, if the item is a letter
     * @param target the target, if the item is not a letter
     * @param outcome missing while the item is open
     * @param detail distinguishes cases of one outcome
     * @param appended the number of events that handling the letter has appended
     * @param durable false if the effect is lost when the replica stops
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Item(
            @Nullable String dlqEntryId,
            @Nullable String target,
            @Nullable String outcome,
            @Nullable String detail,
            @Nullable Cause cause,
            @Nullable Instant at,
            @Nullable String replica,
            @Nullable Integer appended,
            @Nullable Boolean durable) {}

    public ReceiptDetails {
        totals = new LinkedHashMap<>(totals);
        parts = List.copyOf(parts);
        missing = List.copyOf(missing);
        items = List.copyOf(items);
    }

    public long open() {
        return totals.getOrDefault("open", 0L);
    }

    @JsonIgnore
    public boolean isDone() {
        return open() == 0;
    }

    /** Returns this receipt with the part of another owner. */
    ReceiptDetails with(ReceiptDetails other) {
        Map<String, Long> sums = new LinkedHashMap<>(totals);
        other.totals.forEach((name, count) -> sums.merge(name, count, Long::sum));
        return new ReceiptDetails(
                receiptId,
                kind,
                isDone() ? other.state : state,
                target,
                options,
                operator,
                role,
                reason,
                requestedAt,
                isDone() && other.isDone() ? later(endedAt, other.endedAt) : null,
                via,
                sums,
                alsoHandled + other.alsoHandled,
                concat(parts, other.parts),
                concat(missing, other.missing),
                concat(items, other.items),
                next == null ? other.next : next);
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isAfter(one)) ? other : one;
    }

    private static <T> List<T> concat(List<T> one, List<T> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }
}

package io.holdfast.memory;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.CauseGroupChange;
import io.holdfast.deadletter.entry.GroupQuery;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cause groups of all components. Guarded by its own monitor. */
final class InMemoryCauseGroups {

    private static final Comparator<CauseGroup> ORDER = Comparator.comparingLong(CauseGroup::pending)
            .thenComparingLong(CauseGroup::parked)
            .thenComparing(CauseGroup::lastSeen)
            .reversed()
            .thenComparing(group -> group.id());

    private final Map<String, CauseGroup> groups = new HashMap<>();

    synchronized void apply(List<CauseGroupChange> changes) {
        changes.forEach(change -> groups.compute(change.id(), (id, before) -> changed(before, change)));
    }

    /** A group is seen when a letter of it fails, so a change without a failure is of a known one. */
    private static @Nullable CauseGroup changed(@Nullable CauseGroup before, CauseGroupChange change) {
        if (before != null) {
            return changedKnown(before, change);
        }
        Cause cause = change.newest();
        return cause == null
                ? null
                : new CauseGroup(
                        change.component(),
                        change.id(),
                        cause.type(),
                        cause.message(),
                        change.pending(),
                        change.parked(),
                        Objects.requireNonNull(change.seenFrom()),
                        Objects.requireNonNull(change.seenUntil()),
                        null,
                        null,
                        null);
    }

    private static CauseGroup changedKnown(CauseGroup before, CauseGroupChange change) {
        Cause cause = change.newest();
        Instant seen = change.seenUntil();
        return new CauseGroup(
                before.component(),
                before.id(),
                before.causeType(),
                cause == null ? before.causeMessage() : cause.message(),
                before.pending() + change.pending(),
                before.parked() + change.parked(),
                before.firstSeen(),
                seen == null || seen.isBefore(before.lastSeen()) ? before.lastSeen() : seen,
                before.note(),
                before.noteBy(),
                before.notedAt());
    }

    synchronized Optional<CauseGroup> find(String group) {
        return Optional.ofNullable(groups.get(group));
    }

    synchronized List<CauseGroup> find(GroupQuery query) {
        return groups.values().stream()
                .filter(group ->
                        query.components().isEmpty() || query.components().contains(group.component()))
                .filter(group -> query.isResolved() || group.parked() > 0)
                .sorted(ORDER)
                .limit(query.limit())
                .toList();
    }

    synchronized boolean note(String group, @Nullable String text, String by, Instant now) {
        return groups.computeIfPresent(group, (id, before) -> noted(before, text, by, now)) != null;
    }

    private static CauseGroup noted(CauseGroup group, @Nullable String text, String by, Instant now) {
        return new CauseGroup(
                group.component(),
                group.id(),
                group.causeType(),
                group.causeMessage(),
                group.pending(),
                group.parked(),
                group.firstSeen(),
                group.lastSeen(),
                text,
                text == null ? null : by,
                text == null ? null : now);
    }

    /** Deletes groups without a parked letter that were last seen before a time. */
    synchronized void deleteSeenBefore(Instant time) {
        groups.values()
                .removeIf(group -> group.parked() == 0 && group.lastSeen().isBefore(time));
    }
}

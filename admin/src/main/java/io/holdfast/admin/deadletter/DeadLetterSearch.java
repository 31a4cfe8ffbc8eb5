package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.admin.deadletter.DeadLetterPart.PlacedEntry;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryPage;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.deadletter.entry.GroupQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers queries for the entries of one service. Thread-safe. */
final class DeadLetterSearch {

    /** A reply of the wire has at most 1 MB. */
    static final int MAX_PART_SIZE = 600_000;

    /** The size of an entry without its variable texts, as JSON. */
    private static final int ENTRY_SIZE = 1_000;

    /** The maximum number of bytes of a character. */
    private static final int CHARACTER_SIZE = 3;

    private final EntryStore store;
    private final ServiceComponents components;
    private final DeadLetterEntries entries;

    DeadLetterSearch(EntryStore store, ServiceComponents components) {
        this.store = store;
        this.components = components;
        this.entries = new DeadLetterEntries(components);
    }

    DeadLetterPart find(DeadLetterQuery query) {
        Scope scope = scope(query);
        return scope.unknown() == null
                ? find(query, scope)
                : new DeadLetterPart(List.of(), null, false, 0, false, scope.unknown());
    }

    /**
     * What a query selects besides the filters of letters.
     *
     * @param ids the ids of components; empty for all
     * @param unknown why nothing is selected; null if something is
     */
    private record Scope(Set<String> ids, @Nullable String processor, @Nullable String unknown) {}

    /** A processor is searched by the components that it has, and only a retired one by its name. */
    private Scope scope(DeadLetterQuery query) {
        String component = query.component();
        String processor = query.processor();
        Set<String> ids = components.all().stream()
                .filter(each -> component == null || each.matches(component))
                .filter(each -> processor == null || each.processorName().equals(processor))
                .map(ManagedComponent::id)
                .collect(Collectors.toSet());
        boolean isSelective = component != null || processor != null;
        if (!isSelective) {
            return new Scope(Set.of(), null, null);
        }
        return ids.isEmpty() ? retired(component, processor) : new Scope(ids, null, null);
    }

    private Scope retired(@Nullable String component, @Nullable String processor) {
        Set<String> ids = store.groups(GroupQuery.ALL.withResolved()).stream()
                .map(CauseGroup::component)
                .filter(id -> component == null || id.equals(component) || id.endsWith("/" + component))
                .filter(id -> processor == null || id.startsWith(components.service() + "/" + processor + "/"))
                .collect(Collectors.toSet());
        return new Scope(ids, null, ids.isEmpty() ? unknown(component, processor) : null);
    }

    private String unknown(@Nullable String component, @Nullable String processor) {
        Stream<String> known = components.all().stream()
                .map(each -> component == null ? each.processorName() : each.id())
                .distinct()
                .sorted();
        return (component == null
                        ? "processor: unknown processor " + processor
                        : "component: unknown component " + component)
                + "; service " + components.service() + " has " + known.toList();
    }

    private DeadLetterPart find(DeadLetterQuery query, Scope scope) {
        EntryQuery stored = stored(query, scope);
        EntryPage page = store.find(stored);
        EntryCount count = store.count(stored.after(null));
        List<PlacedEntry> placed = new ArrayList<>();
        int size = 0;
        for (Entry entry : page.entries()) {
            size += size(entry);
            if (size > MAX_PART_SIZE && !placed.isEmpty()) {
                EntryCursor end = placed.get(placed.size() - 1).place();
                return new DeadLetterPart(placed, end, false, count.count(), count.isAtLeast(), null);
            }
            placed.add(new PlacedEntry(entry.cursor(), entries.of(entry, null)));
        }
        return new DeadLetterPart(
                placed, page.next(), page.searchedUntil() != null, count.count(), count.isAtLeast(), null);
    }

    private static int size(Entry entry) {
        Entry.Failure failure = entry.failure();
        int texts = failure == null ? 0 : failure.summary().length();
        return ENTRY_SIZE
                + CHARACTER_SIZE
                        * (texts
                                + entry.event().key().length()
                                + entry.id().sequence().sequence().length());
    }

    private static EntryQuery stored(DeadLetterQuery query, Scope scope) {
        return new EntryQuery(
                Set.copyOf(Objects.requireNonNull(query.statuses())),
                scope.processor(),
                scope.ids(),
                query.eventType(),
                query.causeType(),
                query.group(),
                query.from(),
                query.to(),
                query.sagaId(),
                query.correlationId(),
                query.eventId(),
                query.key(),
                query.text(),
                query.after(),
                query.limit());
    }
}

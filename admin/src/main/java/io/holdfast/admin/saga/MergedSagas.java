package io.holdfast.admin.saga;

import io.holdfast.admin.gateway.Gathered;
import io.holdfast.admin.saga.FoundSagas.Entry;
import io.holdfast.view.RowCursor;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One page of the sagas of several services, newest first.
 *
 * @param tracked whether a service that answered tracks or runs sagas of the requested type
 * @param next where the next page begins, in all services; null if there are no more
 * @param incomplete the services that did not answer in time; their sagas are missing
 */
public record MergedSagas(boolean tracked, List<SagaDetails> sagas, @Nullable RowCursor next, List<String> incomplete) {

    /** The order of every service's list. One cursor therefore serves all of them. */
    private static final Comparator<RowCursor> NEWEST_FIRST =
            Comparator.comparing(RowCursor::at).thenComparing(RowCursor::key).reversed();

    public MergedSagas {
        sagas = List.copyOf(sagas);
        incomplete = List.copyOf(incomplete);
    }

    static MergedSagas of(Gathered<FoundSagas> gathered, int limit) {
        Collection<FoundSagas> answers = gathered.answers().values();
        Optional<RowCursor> horizon = horizon(answers);
        List<Entry> complete = answers.stream()
                .flatMap(answer -> answer.sagas().stream())
                .filter(entry -> horizon.isEmpty() || NEWEST_FIRST.compare(entry.cursor(), horizon.get()) <= 0)
                .sorted(Comparator.comparing(Entry::cursor, NEWEST_FIRST)
                        .thenComparing(entry -> entry.saga().service()))
                .toList();
        int size = pageSize(complete, limit);
        return new MergedSagas(
                answers.stream().anyMatch(FoundSagas::tracked),
                complete.subList(0, size).stream().map(Entry::saga).toList(),
                size < complete.size() ? complete.get(size - 1).cursor() : horizon.orElse(null),
                gathered.incomplete());
    }

    /** Returns up to where all services have been read: another page of a service may have sagas older than that. */
    private static Optional<RowCursor> horizon(Collection<FoundSagas> answers) {
        return answers.stream().map(FoundSagas::next).filter(Objects::nonNull).min(NEWEST_FIRST);
    }

    /** Never ends a page between sagas with the same cursor: the next page would skip the second one. */
    private static int pageSize(List<Entry> entries, int limit) {
        int size = Math.min(limit, entries.size());
        while (size > 0
                && size < entries.size()
                && entries.get(size).cursor().equals(entries.get(size - 1).cursor())) {
            size++;
        }
        return size;
    }
}

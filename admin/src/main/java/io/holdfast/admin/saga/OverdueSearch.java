package io.holdfast.admin.saga;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.StoredSaga;
import io.holdfast.view.RowCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Searches for sagas that are overdue, or are not. No index knows that, so the search reads the sagas that match the rest
 * of the query, and stops after {@link #MAX_ROWS} of them. The next page continues there.
 */
final class OverdueSearch {

    static final int MAX_ROWS = 10_000;
    private static final int PAGE = 500;

    private final SagaStateStore sagas;
    private final Predicate<SagaState> matches;

    /** @param matches whether a saga is overdue or not, as the query asks */
    OverdueSearch(SagaStateStore sagas, Predicate<SagaState> matches) {
        this.sagas = sagas;
        this.matches = matches;
    }

    Found find(List<String> types, SagaQuery query) {
        List<SagaStatus> statuses = statuses(query);
        List<StoredSaga> found = new ArrayList<>();
        RowCursor cursor = query.after();
        for (int rows = 0; rows < MAX_ROWS; rows += PAGE) {
            List<StoredSaga> page = sagas.page(types, statuses, query.attention(), cursor, PAGE);
            page.stream()
                    .filter(saga -> statuses.contains(saga.state().status()))
                    .filter(saga -> matches.test(saga.state()))
                    .forEach(found::add);
            if (found.size() > query.limit() || page.size() < PAGE) {
                return Found.of(found, query.limit());
            }
            cursor = page.get(PAGE - 1).cursor();
        }
        return new Found(found, cursor);
    }

    /** Only active sagas can be overdue. */
    private static List<SagaStatus> statuses(SagaQuery query) {
        SagaStatus status = query.status();
        return Stream.of(SagaStatus.values())
                .filter(each -> status == null ? each != SagaStatus.PLACEHOLDER : each == status)
                .filter(each -> each.isActive() || !Boolean.TRUE.equals(query.overdue()))
                .toList();
    }

    /** @param next after which saga the next page begins; null if there are no more */
    record Found(List<StoredSaga> sagas, @Nullable RowCursor next) {

        /** @param sagas all that were found; those beyond the limit are on the next page */
        static Found of(List<StoredSaga> sagas, int limit) {
            return sagas.size() > limit
                    ? new Found(sagas.subList(0, limit), sagas.get(limit - 1).cursor())
                    : new Found(sagas, null);
        }
    }
}

package io.holdfast.saga;

import io.holdfast.PermanentException;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.view.Row;
import io.holdfast.view.RowCursor;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sagas that a service tracks. A list or count costs as much as its result; a list by status STARTED or
 * IN_PROGRESS may have to read all open sagas. Thread-safe.
 */
public final class SagaStateStore {

    private final ViewStore views;
    private final PayloadCodec codec;

    public SagaStateStore(ViewStore views, PayloadCodec codec) {
        this.views = views;
        this.codec = codec;
    }

    /** Returns those of these sagas that exist, with one query. */
    public List<StoredSaga> findAll(Collection<String> sagaIds) {
        return views
                .find(sagaIds.stream().map(id -> new RowKey(SagaView.NAME, id)).toList())
                .stream()
                .filter(row -> row.value() != null)
                .map(this::decode)
                .toList();
    }

    /** Returns those of these sagas that have ended. Reads no other rows. */
    public List<StoredSaga> findEnded(Collection<String> sagaIds) {
        List<String> ended = views.findTags(SagaView.NAME, sagaIds).entrySet().stream()
                .filter(saga -> SagaTag.isFinal(saga.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        return ended.isEmpty() ? List.of() : findAll(ended);
    }

    public Optional<StoredSaga> find(String sagaId) {
        return views.find(List.of(new RowKey(SagaView.NAME, sagaId))).stream()
                .filter(row -> row.value() != null)
                .map(this::decode)
                .findFirst();
    }

    /**
     * Returns sagas, newest first.
     *
     * @param types the saga types to list
     * @param status null for all, except placeholders
     * @param attention whether an operator must look at the saga; null for all
     * @param after the last saga of the previous page; null for the first page
     */
    public List<StoredSaga> list(
            Collection<String> types,
            @Nullable SagaStatus status,
            @Nullable Boolean attention,
            @Nullable RowCursor after,
            int limit) {
        List<StoredSaga> found = new ArrayList<>();
        RowCursor cursor = after;
        boolean isExhausted = false;
        while (found.size() < limit && !isExhausted) {
            List<StoredSaga> page = page(SagaTag.matching(types, status, attention), cursor, limit);
            page.stream()
                    .filter(saga -> matches(saga, status))
                    .limit(limit - found.size())
                    .forEach(found::add);
            isExhausted = page.size() < limit;
            cursor = isExhausted ? cursor : page.get(limit - 1).cursor();
        }
        return found;
    }

    /**
     * Returns sagas that have started and not ended, newest first.
     *
     * @param after the last saga of the previous page; null for the first page
     */
    public List<StoredSaga> listActive(Collection<String> types, @Nullable RowCursor after, int limit) {
        return page(types, SagaStatus.active(), null, after, limit);
    }

    /**
     * Returns sagas with one of these statuses, newest first, fewer than the limit only if there are no more. Reads no
     * other rows. The index does not distinguish STARTED and IN_PROGRESS, so either status returns both.
     *
     * @param attention whether an operator must look at the saga; null for all
     * @param after the last saga of the previous page; null for the first page
     */
    public List<StoredSaga> page(
            Collection<String> types,
            Collection<SagaStatus> statuses,
            @Nullable Boolean attention,
            @Nullable RowCursor after,
            int limit) {
        return page(SagaTag.withStatuses(types, statuses, attention), after, limit);
    }

    private List<StoredSaga> page(List<String> tags, @Nullable RowCursor after, int limit) {
        return views.findTagged(SagaView.NAME, tags, after, limit).stream()
                .map(this::decode)
                .toList();
    }

    /** The index does not tell one open status from the other. */
    private static boolean matches(StoredSaga saga, @Nullable SagaStatus status) {
        return status == null || !status.isOpen() || saga.state().status() == status;
    }

    /**
     * Counts sagas. Stops at the limit.
     *
     * @param status null for all, except placeholders. STARTED and IN_PROGRESS cannot be counted apart: the index does not
     *     distinguish them, and reading every open saga would take long. See {@link #countActive}
     * @throws PermanentException if the status is one of these two
     */
    public long count(Collection<String> types, @Nullable SagaStatus status, @Nullable Boolean attention, long limit) {
        if (status != null && status.isOpen()) {
            throw new PermanentException(
                    "sagas with status " + status + " cannot be counted alone; count the active ones instead");
        }
        return views.count(SagaView.NAME, SagaTag.matching(types, status, attention), limit);
    }

    /** Counts sagas that have started and not ended. Stops at the limit. */
    public long countActive(Collection<String> types, long limit) {
        return views.count(SagaView.NAME, SagaTag.withStatuses(types, SagaStatus.active(), null), limit);
    }

    /** Counts sagas whose deadline is suspended. Stops at the limit. */
    public long countSuspended(Collection<String> types, long limit) {
        return views.count(SagaView.NAME, SagaTag.suspended(types), limit);
    }

    private StoredSaga decode(Row row) {
        Payload value = row.value();
        if (value == null) {
            throw new IllegalStateException("row " + row.key() + " was removed, but is in the index");
        }
        codec.requireKnownRevision(value, SagaState.class, "row " + row.key());
        return new StoredSaga(codec.decode(value, SagaState.class), row.version());
    }
}

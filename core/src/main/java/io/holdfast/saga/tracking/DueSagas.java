package io.holdfast.saga.tracking;

import io.holdfast.HoldfastException;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaView;
import io.holdfast.view.Row;
import io.holdfast.view.ViewStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the sagas that are due. Some of them cannot be judged now: their streams are not read yet, an attempt failed, or
 * only another version knows them. They stay due, so the search widens until it finds others. Not thread-safe.
 */
final class DueSagas {

    private static final Logger log = LoggerFactory.getLogger(DueSagas.class);
    private static final Duration UNREADABLE_DELAY = Duration.ofMinutes(1);
    /** Reading more rows in each run would delay everything else. */
    private static final int MAX_LIMIT = 10_000;

    private final ViewStore views;
    private final PayloadCodec codec;
    private final int batch;
    private final Map<String, Instant> skipped = new HashMap<>();
    private int limit;

    DueSagas(ViewStore views, PayloadCodec codec, int batch) {
        this.views = views;
        this.codec = codec;
        this.batch = batch;
        this.limit = batch;
    }

    /** Leaves a saga out until this time. */
    void skip(String sagaId, Instant until) {
        skipped.put(sagaId, until);
    }

    Found find(Instant now) {
        skipped.values().removeIf(until -> !until.isAfter(now));
        List<Row> due = views.findDue(SagaView.NAME, now, limit);
        Found found = new Found(new LinkedHashMap<>(), new ArrayList<>(), due.size());
        for (Row row : due) {
            if (!skipped.containsKey(row.key().key())) {
                addTo(found, row, now);
            }
        }
        if (due.size() < batch) {
            limit = batch;
        }
        return found;
    }

    private void addTo(Found found, Row row, Instant now) {
        try {
            SagaState saga = decode(row);
            if (saga.status().isOpen()) {
                found.open.put(saga.sagaId(), saga);
            } else {
                found.ended.add(row);
            }
        } catch (HoldfastException e) {
            log.error("Saga {} cannot be read, retrying in {}: {}", row.key().key(), UNREADABLE_DELAY, e.getMessage());
            skip(row.key().key(), now.plus(UNREADABLE_DELAY));
        }
    }

    private SagaState decode(Row row) {
        Payload value = Objects.requireNonNull(row.value());
        codec.requireKnownRevision(value, SagaState.class, "row " + row.key());
        return codec.decode(value, SagaState.class);
    }

    /**
     * Widens the search if none of the sagas could be judged and there are more.
     *
     * @return whether to search again
     */
    boolean widen(Found found) {
        if (found.rows < limit || limit >= MAX_LIMIT) {
            return false;
        }
        limit = Math.min(limit * 2, MAX_LIMIT);
        return true;
    }

    /**
     * @param open the sagas to judge, by id, those that are due longest first
     * @param ended the rows to purge
     * @param rows the number of due rows, those that were left out included
     */
    record Found(Map<String, SagaState> open, List<Row> ended, int rows) {

        boolean isEmpty() {
            return rows == 0;
        }
    }
}

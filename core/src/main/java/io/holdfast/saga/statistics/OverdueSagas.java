package io.holdfast.saga.statistics;

import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.UsualDurations;
import io.holdfast.view.RowCursor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the sagas that are overdue, for the gauge {@code saga.overdue}. One run reads a limited number of rows; if there
 * are more active sagas, the next run continues, and the gauge changes once all of them are counted. Not thread-safe,
 * except for the gauge.
 */
final class OverdueSagas {

    static final int MAX_ROWS = 10_000;
    private static final int PAGE = 500;

    private final SagaStateStore sagas;
    private final List<String> types;
    private final Clock clock;
    private final Map<String, Long> counting = new HashMap<>();
    private @Nullable RowCursor cursor;
    private volatile Map<String, Long> counted = Map.of();

    OverdueSagas(SagaStateStore sagas, Collection<String> types, Clock clock) {
        this.sagas = sagas;
        this.types = List.copyOf(types);
        this.clock = clock;
    }

    void register(MeterRegistry registry) {
        for (String type : types) {
            Supplier<Number> value = () -> {
                Long count = counted.get(type);
                return count == null ? Double.NaN : count;
            };
            Gauge.builder("saga.overdue", value).tag("sagaType", type).register(registry);
        }
    }

    /** Counts, at most {@link #MAX_ROWS} rows. */
    void count(UsualDurations usual) {
        List<String> measured =
                types.stream().filter(type -> !usual.isEmpty(type)).toList();
        boolean more = !measured.isEmpty();
        for (int rows = 0; more && rows < MAX_ROWS; rows += PAGE) {
            more = countPage(measured, usual);
        }
        if (!more) {
            Map<String, Long> result = new HashMap<>();
            types.forEach(type -> result.put(type, counting.getOrDefault(type, 0L)));
            counted = Map.copyOf(result);
            restart();
        }
    }

    /** Sets the gauge to NaN until all sagas are counted again, because the store does not respond. */
    void forget() {
        counted = Map.of();
        restart();
    }

    private void restart() {
        counting.clear();
        cursor = null;
    }

    /** @return whether there are more rows */
    private boolean countPage(List<String> measured, UsualDurations usual) {
        Instant now = clock.instant();
        List<StoredSaga> page = sagas.listActive(measured, cursor, PAGE);
        page.stream()
                .map(StoredSaga::state)
                .filter(saga -> usual.isOverdue(saga, now))
                .forEach(saga -> counting.merge(saga.sagaType(), 1L, Long::sum));
        if (page.size() < PAGE) {
            return false;
        }
        cursor = page.get(PAGE - 1).cursor();
        return true;
    }
}

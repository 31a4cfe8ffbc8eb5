package io.holdfast.admin.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaEvent;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaView;
import io.holdfast.saga.StoredSaga;
import io.holdfast.view.Row;
import io.holdfast.view.RowCursor;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How many rows one request reads, and where the next one continues. The sagas are numbered, the newest one is 0. */
class OverdueSearchTests {

    private static final int MAX_ROWS = OverdueSearch.MAX_ROWS;
    private static final int ALL = MAX_ROWS + 600;

    private final PayloadCodec codec = new PayloadCodec();
    private final Choreography type = type();
    private int rowsRead;

    @Test
    void stopsAfterTheLimitAndContinuesThere() {
        OverdueSearch search = search(Set.of("7", Integer.toString(MAX_ROWS), Integer.toString(ALL - 1))::contains);

        OverdueSearch.Found first = search.find(List.of("Trip"), query(null, 10));

        assertThat(ids(first)).containsExactly("7");
        assertThat(rowsRead).isEqualTo(MAX_ROWS);
        OverdueSearch.Found second = search.find(List.of("Trip"), query(Objects.requireNonNull(first.next()), 10));
        assertThat(ids(second)).containsExactly(Integer.toString(MAX_ROWS), Integer.toString(ALL - 1));
        assertThat(second.next()).isNull();
        assertThat(rowsRead).isEqualTo(ALL);
    }

    @Test
    void readsNoFurtherThanThePageNeeds() {
        OverdueSearch search = search(id -> true);

        OverdueSearch.Found found = search.find(List.of("Trip"), query(null, 3));

        assertThat(ids(found)).containsExactly("0", "1", "2");
        assertThat(Objects.requireNonNull(found.next()).key()).isEqualTo("2");
        assertThat(rowsRead).isLessThan(1_000);
    }

    @Test
    void namesNoNextPageIfThePageHoldsTheLastSaga() {
        OverdueSearch search = search(Integer.toString(ALL - 1)::equals);

        OverdueSearch.Found found =
                search.find(List.of("Trip"), query(new RowCursor(Instant.EPOCH, Integer.toString(ALL - 3)), 1));

        assertThat(ids(found)).containsExactly(Integer.toString(ALL - 1));
        assertThat(found.next()).isNull();
    }

    private OverdueSearch search(Predicate<String> overdue) {
        ViewStore views = (ViewStore) Proxy.newProxyInstance(
                ViewStore.class.getClassLoader(),
                new Class<?>[] {ViewStore.class},
                (proxy, method, arguments) -> page((RowCursor) arguments[2], (int) arguments[3]));
        return new OverdueSearch(new SagaStateStore(views, codec), saga -> overdue.test(saga.sagaId()));
    }

    private List<Row> page(@Nullable RowCursor after, int limit) {
        int first = after == null ? 0 : Integer.parseInt(after.key()) + 1;
        List<Row> page = IntStream.range(first, Math.min(first + limit, ALL))
                .mapToObj(this::row)
                .toList();
        rowsRead += page.size();
        return page;
    }

    private Row row(int number) {
        String id = Integer.toString(number);
        SagaEvent booked = new SagaEvent(id, "Booked", new UUID(0, number), "t-1", null, Instant.EPOCH, null);
        SagaState saga = Objects.requireNonNull(type.record(null, booked, Duration.ofMinutes(1)));
        return new Row(new RowKey(SagaView.NAME, id), 1, codec.encode(saga));
    }

    private static SagaQuery query(@Nullable RowCursor after, int limit) {
        return new SagaQuery(null, null, null, true, after, limit);
    }

    private static List<String> ids(OverdueSearch.Found found) {
        return found.sagas().stream()
                .map(StoredSaga::state)
                .map(SagaState::sagaId)
                .toList();
    }

    private static Choreography type() {
        CompensationRegistry registry = new CompensationRegistry();
        registry.saga("Trip")
                .streams("trips")
                .register("Booked", "Cancelled", "travel")
                .completedBy("Confirmed", "travel")
                .cancelBy((saga, decision) -> {});
        return registry.choreographies().find("Trip").orElseThrow();
    }
}

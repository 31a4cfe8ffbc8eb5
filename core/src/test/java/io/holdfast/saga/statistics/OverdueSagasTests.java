package io.holdfast.saga.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.ManualClock;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaView;
import io.holdfast.saga.UsualDuration;
import io.holdfast.saga.UsualDurations;
import io.holdfast.saga.UsualDurations.Step;
import io.holdfast.view.Row;
import io.holdfast.view.RowCursor;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How many rows one run reads. */
class OverdueSagasTests {

    private static final UsualDurations USUAL = new UsualDurations(Map.of(
            new Step(Trips.TYPE, "CarRented", false), new UsualDuration(Duration.ofMillis(1), Duration.ofMillis(1))));

    private final PayloadCodec codec = new PayloadCodec();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private int rows;
    private int rowsRead;

    @Test
    void readsNothingUntilATypeWasMeasured() {
        OverdueSagas overdue = overdue(3);

        overdue.count(UsualDurations.NONE);

        assertThat(gauge()).isZero();
        assertThat(rowsRead).isZero();
    }

    @Test
    void countsAllSagasInOneRunIfTheyAreFew() {
        OverdueSagas overdue = overdue(1_200);

        overdue.count(USUAL);
        assertThat(gauge()).isEqualTo(1_200);
        rows = 7;
        overdue.count(USUAL);

        assertThat(gauge()).isEqualTo(7);
    }

    @Test
    void continuesInTheNextRunIfTheyAreMany() {
        OverdueSagas overdue = overdue(OverdueSagas.MAX_ROWS + 1);

        overdue.count(USUAL);
        assertThat(rowsRead).isEqualTo(OverdueSagas.MAX_ROWS);
        assertThat(gauge()).isNaN();

        overdue.count(USUAL);
        assertThat(rowsRead).isEqualTo(OverdueSagas.MAX_ROWS + 1);
        assertThat(gauge()).isEqualTo(OverdueSagas.MAX_ROWS + 1);
    }

    @Test
    void startsAgainAfterAFailure() {
        OverdueSagas overdue = overdue(OverdueSagas.MAX_ROWS + 1);
        overdue.count(USUAL);

        overdue.forget();
        rows = 2;
        overdue.count(USUAL);

        assertThat(gauge()).isEqualTo(2);
    }

    /** Returns the count over a store in which that many sagas wait for a car. */
    private OverdueSagas overdue(int waiting) {
        rows = waiting;
        ManualClock clock = new ManualClock(Trips.START.plusSeconds(2));
        ViewStore views = (ViewStore) Proxy.newProxyInstance(
                ViewStore.class.getClassLoader(),
                new Class<?>[] {ViewStore.class},
                (proxy, method, arguments) -> method.getName().equals("findTagged")
                        ? page((Collection<?>) arguments[1], (RowCursor) arguments[2], (int) arguments[3])
                        : null);
        OverdueSagas overdue = new OverdueSagas(new SagaStateStore(views, codec), List.of(Trips.TYPE), clock);
        overdue.register(registry);
        return overdue;
    }

    private List<Row> page(Collection<?> tags, @Nullable RowCursor after, int limit) {
        assertThat(tags.stream().map(Object::toString)).isNotEmpty().allMatch(tag -> tag.startsWith(Trips.TYPE + "/"));
        int first = after == null ? 0 : Integer.parseInt(after.key()) + 1;
        List<Row> page = IntStream.range(first, Math.min(first + limit, rows))
                .mapToObj(this::row)
                .toList();
        rowsRead += page.size();
        return page;
    }

    private Row row(int number) {
        String id = Integer.toString(number);
        return new Row(new RowKey(SagaView.NAME, id), 1, codec.encode(Trips.record(null, id, "Booked", 0)));
    }

    private double gauge() {
        return registry.get("saga.overdue").tag("sagaType", Trips.TYPE).gauge().value();
    }
}

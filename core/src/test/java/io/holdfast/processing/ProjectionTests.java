package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.Scenario;
import io.holdfast.handling.Component;
import io.holdfast.handling.Projection;
import io.holdfast.processing.segment.CollectingContext;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProjectionTests {

    private static final View<Orders> VIEW = new View<>("customer-orders", Orders.class);

    private final PayloadCodec codec = new PayloadCodec();

    @Test
    void changesTheRowThatThePayloadNames() {
        Component component = counting();

        Scenario scenario = Scenario.givenNothing();
        scenario.when(component, "orders", "o-1", new Created("c-1"));
        scenario.when(component, "orders", "o-2", new Created("c-1"))
                .thenNothing()
                .thenRow(VIEW, "c-1", new Orders(2, "Created"));
    }

    @Test
    void changesTheRowOfTheEventsOwnKey() {
        Component component = Projection.of("orders", VIEW)
                .on(Created.class, (row, event) -> new Orders(1, event.customerId()))
                .component()
                .build();

        Scenario.givenNothing()
                .when(component, "orders", "o-1", new Created("c-1"))
                .thenRow(VIEW, "o-1", new Orders(1, "c-1"))
                .thenRow(VIEW, "c-1", null);
    }

    @Test
    void removesRowIfChangeReturnsNull() {
        Component component = counting();

        Scenario scenario = Scenario.givenNothing();
        scenario.when(component, "orders", "o-1", new Created("c-1"));
        scenario.when(component, "customers", "c-1", new Forgotten()).thenRow(VIEW, "c-1", null);
    }

    @Test
    void passesWholeEventToChange() {
        EventMessage message = message(new Created("c-1"), 4);
        Projection<Orders> projection = Projection.of("orders", VIEW);
        projection.on(
                Created.class,
                Created::customerId,
                (row, event, whole) -> new Orders((int) whole.version(), whole.occurredAt() + " " + whole.key()));

        Part part = CollectingContext.collect(projection.component().build(), message, "id", codec)
                .orElseThrow();

        assertThat(part.decisions()).isEmpty();
        RowUpdate<?> update = part.rowUpdates().get(0);
        assertThat(update.rowKey()).isEqualTo(new RowKey("customer-orders", "c-1"));
        assertThat(applied(update, null)).isEqualTo(new Orders(4, Instant.EPOCH + " o-1"));
    }

    @Test
    void rejectsAnEventWithoutARowKey() {
        assertThatThrownBy(() -> CollectingContext.collect(counting(), message(new Created(null), 1), "id", codec))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("projection customer-orders has no row key for Created ")
                .hasMessageContaining("use a plain component if an event may change no row");
    }

    @Test
    void rejectsSecondChangeForOneEventType() {
        Projection<Orders> projection = Projection.of("orders", VIEW).on(Created.class, (row, event) -> row);

        assertThatThrownBy(() -> projection.on(Created.class, (row, event) -> row))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("handles event type Created twice");
    }

    @Test
    void isResettableOnlyIfDeclared() {
        assertThat(counting().isResettable()).isFalse();
        assertThat(Projection.of("orders", VIEW)
                        .on(Created.class, (row, event) -> row)
                        .component()
                        .resettable()
                        .build()
                        .isResettable())
                .isTrue();
    }

    private static Component counting() {
        return Projection.of("customer-orders", VIEW)
                .on(
                        Created.class,
                        Created::customerId,
                        (row, event) -> new Orders(row == null ? 1 : row.number() + 1, "Created"))
                .on(Forgotten.class, (row, event) -> null)
                .component()
                .build();
    }

    private EventMessage message(Object event, long version) {
        LogPosition place = new LogPosition(new LogIdentity(UUID.randomUUID(), 1), 1, 0, null);
        return new EventMessage(
                UUID.randomUUID(),
                "elsewhere",
                "orders",
                "o-1",
                version,
                Instant.EPOCH,
                Metadata.none(),
                codec.encode(event),
                place);
    }

    private static <R> @Nullable R applied(RowUpdate<R> update, @Nullable R row) {
        return update.change().apply(row);
    }

    record Created(@Nullable String customerId) {}

    record Forgotten() {}

    record Orders(int number, @Nullable String last) {}
}

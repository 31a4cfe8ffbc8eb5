package io.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComponentDefinitionTests {

    private static final String REVISION = "Placed@1";
    private static final ComponentDefinition ALL = new ComponentDefinition(Map.of("Placed", "1.0"), true, false);
    private static final ComponentDefinition LIMITED = limitedTo("X");

    record Placed(String item) {}

    private static ComponentDefinition limitedTo(String sagaType) {
        return new ComponentDefinition(Map.of("Placed", "1.0"), Map.of(sagaType, "2.0"), true, false);
    }

    private static EventMessage inSaga(String sagaType) {
        return event(Metadata.none().withSaga(sagaType, "1"));
    }

    private static EventMessage event(Metadata metadata) {
        return new EventMessage(
                new UUID(0, 1),
                "orders",
                "orders",
                "o-1",
                1,
                Instant.EPOCH,
                metadata,
                new PayloadCodec().encode(new Placed("apple")),
                new LogPosition(new LogIdentity(new UUID(0, 2), 1), 1, 0, null));
    }

    @Test
    void withoutSagaTypesItCoversEveryEventOfItsTypes() {
        assertThat(ALL.covers(event(Metadata.none()))).isTrue();
        assertThat(ALL.covers(inSaga("X"))).isTrue();
        assertThat(ALL.covers(inSaga("Y".repeat(1000)))).isTrue();
        assertThat(ALL.isLimited()).isFalse();
    }

    @Test
    void withSagaTypesItCoversOnlyTheirEvents() {
        assertThat(LIMITED.covers(inSaga("X"))).isTrue();
        assertThat(LIMITED.covers(inSaga("Y"))).isFalse();
        assertThat(LIMITED.covers(inSaga("*"))).isFalse();
        assertThat(LIMITED.covers(event(Metadata.none()))).isFalse();
        assertThat(LIMITED.isLimited()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X", "X@2", "X#1", "X@2#Y@3", "two\nlines"})
    void coversWhatASequenceAwaitsIfItCoversTheEvent(String sagaType) {
        String awaited = ComponentDefinition.inSaga(REVISION, inSaga(sagaType));

        assertThat(limitedTo(sagaType).coversAwaited(awaited)).isTrue();
        assertThat(limitedTo("other").coversAwaited(awaited)).isFalse();
        assertThat(ALL.coversAwaited(awaited)).isTrue();
        assertThat(new ComponentDefinition(Map.of("Paid", "1.0"), true, false).coversAwaited(awaited))
                .isFalse();
    }

    @Test
    void onlyAComponentWithoutLimitCoversAnEventWithoutASaga() {
        String awaited = ComponentDefinition.inSaga(REVISION, event(Metadata.none()));

        assertThat(awaited).isEqualTo("Placed@1#");
        assertThat(LIMITED.coversAwaited(awaited)).isFalse();
        assertThat(ALL.coversAwaited(awaited)).isTrue();
    }

    /** Stored by a version that lacks the handler, or by an earlier release. The attempt shows whether it is wanted. */
    @Test
    void whatIsAwaitedWithoutASagaIsCoveredByItsType() {
        assertThat(LIMITED.coversAwaited(REVISION)).isTrue();
        assertThat(LIMITED.coversAwaited("Paid@1")).isFalse();
    }

    /** The column that stores it has 600 characters; a component cannot be limited to a type of that length. */
    @Test
    void doesNotNameASagaTypeThatNoComponentCanBeLimitedTo() {
        assertThat(ComponentDefinition.inSaga(REVISION, inSaga("Y".repeat(256))))
                .isEqualTo("Placed@1#");
        assertThat(ComponentDefinition.inSaga(REVISION, inSaga("Y".repeat(255))))
                .hasSize(264);
    }

    @Test
    void includesTheSameSagaTypesOnly() {
        ProcessorDefinition all = ProcessorDefinition.of(Map.of("c", ALL));
        ProcessorDefinition limited = ProcessorDefinition.of(Map.of("c", LIMITED));

        assertThat(all.includes(limited)).isFalse();
        assertThat(limited.includes(all)).isFalse();
        assertThat(all.merged(limited).includes(all)).isTrue();
        assertThat(all.merged(limited).includes(limited)).isTrue();
        assertThat(all.merged(limited).coversSameAs(all)).isFalse();
    }

    @Test
    void namesTheVersionThatRegisteredTheSagaType() {
        ComponentDefinition merged = new ComponentDefinition(
                Map.of("Placed", "1.0"), Map.of("X", "2.0", ComponentDefinition.ALL, "3.0"), true, false);

        assertThat(merged.sagaRegisteredBy(inSaga("X"))).isEqualTo("2.0");
        assertThat(merged.sagaRegisteredBy(inSaga("Y"))).isEqualTo("3.0");
        assertThat(LIMITED.sagaRegisteredBy(inSaga("Y"))).isEmpty();
    }

    @Test
    void earlierReleaseWithUnknownTypesHandledEveryEvent() {
        assertThat(ComponentDefinition.ofUnknownTypes().covers(inSaga("X"))).isTrue();
        assertThat(ComponentDefinition.ofUnknownTypes().merged(LIMITED).isLimited())
                .isFalse();
    }
}

package io.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetadataTests {

    @Test
    void returnsTheValuesThatWereSet() {
        Metadata metadata = Metadata.none()
                .withCorrelationId("c")
                .withCausationId("e")
                .withSaga("OrderFulfillment", "s")
                .withStepNumber(2)
                .withCompensating(true)
                .withTraceparent("00-trace")
                .with("tenant", "t1");

        assertThat(metadata.correlationId()).contains("c");
        assertThat(metadata.causationId()).contains("e");
        assertThat(metadata.sagaType()).contains("OrderFulfillment");
        assertThat(metadata.sagaId()).contains("s");
        assertThat(metadata.stepNumber()).hasValue(2);
        assertThat(metadata.compensating()).isTrue();
        assertThat(metadata.traceparent()).contains("00-trace");
        assertThat(metadata.find("tenant")).contains("t1");
    }

    @Test
    void isEmptyByDefault() {
        assertThat(Metadata.none().stepNumber()).isEmpty();
        assertThat(Metadata.none().sagaId()).isEmpty();
        assertThat(Metadata.none().compensating()).isFalse();
    }

    @Test
    void inheritsAllExceptStepAndCompensation() {
        Metadata shared = Metadata.none()
                .withCorrelationId("c")
                .withSaga("OrderFulfillment", "s")
                .withTraceparent("00-trace")
                .with("tenant", "t1");

        assertThat(shared.withStepNumber(2).withCompensating(true).inheritable())
                .isEqualTo(shared);
    }

    @Test
    void prefersItsOwnValuesToDefaults() {
        Metadata own = Metadata.none().with("a", "mine");
        Metadata other = Metadata.none().with("a", "other").with("b", "other");

        assertThat(own.withDefaults(other).asMap()).isEqualTo(Map.of("a", "mine", "b", "other"));
    }

    @Test
    void rejectsValuesThatAStoreCannotRepresent() {
        assertThatThrownBy(() -> Metadata.none().with("tenant", "a\0b"))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("tenant");
        assertThatThrownBy(() -> Metadata.none().with(" ", "x")).isInstanceOf(PermanentException.class);
        assertThatThrownBy(() -> Metadata.none().with("big", "x".repeat(10_000)))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("8192");
    }
}

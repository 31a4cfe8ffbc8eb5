package io.holdfast.handling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import org.junit.jupiter.api.Test;

class ComponentSagaTypesTests {

    private static Component.Builder component() {
        return Component.named("billing").on("Placed", (payload, context) -> {});
    }

    private static void assertRejected(Runnable declaration, String message) {
        assertThatThrownBy(declaration::run)
                .isInstanceOf(PermanentException.class)
                .hasMessage(message);
    }

    @Test
    void listsAllDeclaredTypes() {
        Component billing = component()
                .sagaTypes("OrderFulfillment", "Return")
                .sagaTypes("Return")
                .retiresSagaTypes("OrderCheckout", "*")
                .build();

        assertThat(billing.sagaTypes()).containsExactlyInAnyOrder("OrderFulfillment", "Return");
        assertThat(billing.retiredSagaTypes()).containsExactlyInAnyOrder("OrderCheckout", "*");
    }

    @Test
    void isNotLimitedByDefault() {
        assertThat(component().build().sagaTypes()).isEmpty();
        assertThat(component().sagaTypes().build().sagaTypes()).isEmpty();
    }

    @Test
    void rejectsInvalidNames() {
        assertRejected(() -> component().sagaTypes("A", " "), "saga type of component billing must not be blank");
        assertRejected(
                () -> component().sagaTypes("A".repeat(256)),
                "saga type of component billing must have at most 255 characters, but has 256");
        assertRejected(
                () -> component().retiresSagaTypes(""), "retired saga type of component billing must not be blank");
    }

    @Test
    void rejectsAsteriskAsALimit() {
        assertRejected(
                () -> component().sagaTypes("*").build(),
                "component billing cannot be limited to saga type *, which stands for all events; omit sagaTypes to"
                        + " handle all events");
    }

    @Test
    void rejectsARetiredTypeThatItStillHandles() {
        assertRejected(
                () -> component().sagaTypes("A", "B").retiresSagaTypes("B").build(),
                "component billing retires saga type B and is limited to it; remove one of the two");
        assertRejected(
                () -> component().retiresSagaTypes("B").build(),
                "component billing retires saga types [B] and handles the events of all sagas; declare sagaTypes, or"
                        + " remove retiresSagaTypes");
    }
}

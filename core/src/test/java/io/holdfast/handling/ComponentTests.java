package io.holdfast.handling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.InvalidSettingsException;
import io.holdfast.PermanentException;
import io.holdfast.resilience.RetryOverrides;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ComponentTests {

    private static Component.Builder orders() {
        return Component.named("orders").on("OrderPlaced", (payload, context) -> {});
    }

    @Test
    void hasNoRecoveryAndNoOwnRetryByDefault() {
        Component component = orders().build();

        assertThat(component.recovery()).isEmpty();
        assertThat(component.retry()).isEqualTo(RetryOverrides.NONE);
    }

    @Test
    void keepsRecoveryAndRetry() {
        Recovery recovery = (context, failure) -> {};
        RetryOverrides retry = RetryOverrides.NONE.maxAttempts(7);

        Component component = orders().recoverWith(recovery).retry(retry).build();

        assertThat(component.recovery()).contains(recovery);
        assertThat(component.retry()).isEqualTo(retry);
    }

    @Test
    void rejectsRecoveryOfAComponentThatWritesApplicationRows() {
        Component.Builder builder =
                orders().recoverWith((context, failure) -> {}).rowsIn(new Object());

        assertThatThrownBy(builder::build)
                .isInstanceOf(PermanentException.class)
                .hasMessage("component orders has a recovery and writes application rows, but the rows of a failed"
                        + " handler are rolled back and a recovery has no transaction; remove recoverWith(…) or"
                        + " rowsIn(…)");
    }

    @Test
    void reportsAllInvalidRetrySettings() {
        Component.Builder builder =
                orders().retry(RetryOverrides.NONE.maxAttempts(0).waitDuration(Duration.ofHours(2)));

        assertThatThrownBy(builder::build)
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage("invalid settings: component orders: retry.max-attempts is 0, but must be 1 or more, the"
                        + " first included; component orders: retry.wait-duration is PT2H, but must be from 0 to 1h");
    }

    @Test
    void rejectsTwoHandlersOfOneTypeAlsoIfOneIsAsynchronous() {
        Component.Builder builder = orders();

        assertThatThrownBy(() -> builder.onAsync("OrderPlaced", (payload, context) -> null))
                .hasMessage("component orders handles event type OrderPlaced twice; remove one");
    }
}

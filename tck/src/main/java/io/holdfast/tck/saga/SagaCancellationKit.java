package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract of the local compensation: if it fails or does nothing, an operator learns of it, and other sagas do not wait. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class SagaCancellationKit extends SagaKit {

    static List<RuntimeException> failures() {
        return List.of(new IllegalStateException("broken"), new RetryableException("not now"));
    }

    private final AtomicInteger cancellations = new AtomicInteger();

    @ParameterizedTest
    @MethodSource("failures")
    void asksForAttentionWhenItFails(RuntimeException failure) {
        world().cancelBy((saga, decision) -> {
            if (saga.key().equals("o-2")) {
                cancellations.incrementAndGet();
                throw failure;
            }
            Trade.cancel(saga, decision);
        });
        overdueOrders();

        world().pass(SagaWorld.DEADLINE);

        assertStatus("o-1", SagaStatus.COMPENSATING);
        assertStatus("o-2", SagaStatus.IN_PROGRESS);
        assertStatus("o-3", SagaStatus.COMPENSATING);
        assertThat(world().find("o-2").attentionReason())
                .hasValueSatisfying(reason -> assertThat(reason).contains(String.valueOf(failure.getMessage())));
        assertThat(world().events("o-2")).doesNotContain("OrderCancelled");
        assertThat(count("saga.timedout")).isEqualTo(2);
        assertThat(gauge("saga.attention")).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void isRetriedWithABackoffWhenItFails(RuntimeException failure) {
        world().cancelBy((saga, decision) -> {
            cancellations.incrementAndGet();
            throw failure;
        });
        overdueOrders();

        world().pass(SagaWorld.DEADLINE);
        int first = cancellations.get();
        world().pass(Duration.ofSeconds(10));
        assertThat(cancellations).hasValue(first);
        world().pass(Duration.ofSeconds(6));

        assertThat(cancellations.get()).isEqualTo(2 * first);
    }

    @Test
    void isRepeatedSoonWhenItDoesNothing() {
        world().cancelBy((saga, decision) -> {
            if (cancellations.incrementAndGet() > 3) {
                Trade.cancel(saga, decision);
            }
        });
        overdueOrders();

        world().pass(SagaWorld.DEADLINE);
        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        assertThat(world().find("o-1").attentionReason()).isEmpty();
        assertThat(count("saga.timedout")).isZero();
        world().pass(Duration.ofSeconds(16));

        assertStatus("o-1", SagaStatus.COMPENSATING);
        assertThat(count("saga.timedout")).isEqualTo(3);
    }

    @Test
    void asksForAttentionWhenItDoesNothingTenTimes() {
        world().cancelBy((saga, decision) -> {});
        overdueOrders();

        for (int judgement = 0; judgement < SagaState.MAX_JUDGEMENTS - 1; judgement++) {
            world().pass(Duration.ofMinutes(6));
        }
        assertThat(world().find("o-1").attentionReason()).isEmpty();
        world().pass(Duration.ofMinutes(6));

        assertThat(world().find("o-1").attentionReason()).isPresent();
        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        assertThat(count("saga.timedout")).isZero();
    }

    /** Starts a world with three orders that wait for their payment. */
    private void overdueOrders() {
        world().start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().create("o-2");
        world().create("o-3");
        world().settle();
    }
}

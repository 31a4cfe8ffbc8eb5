package io.holdfast.resilience;

import static io.holdfast.resilience.ResilienceFixture.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.resilience.ResilienceFixture.Declined;
import io.micrometer.core.instrument.FunctionCounter;
import org.junit.jupiter.api.Test;

class ResilienceMetricsTests {

    private final ResilienceFixture bench = ResilienceFixture.steady();

    @Test
    void reportsBreakerStateAndCalls() {
        bench.succeed();
        bench.fail();
        bench.fail(new Declined());

        assertThat(breakerState("closed")).isEqualTo(1);
        assertThat(breakerCalls("successful")).isEqualTo(1);
        assertThat(breakerCalls("failed")).isEqualTo(1);
        assertThat(breakerCalls("ignored")).isEqualTo(1);
        bench.breaker().transitionToOpenState();
        assertThat(breakerState("open")).isEqualTo(1);
        bench.fail();
        assertThat(bench.meters
                        .get("resilience4j.circuitbreaker.not.permitted.calls")
                        .tag("name", NAME)
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void reportsRetryOutcomes() {
        bench.invoker.execute(NAME, bench.failing(0));
        bench.calls = 0;
        bench.invoker.execute(NAME, bench.failing(1));
        bench.fail();
        bench.fail(new Declined());

        assertThat(retryCalls("successful_without_retry")).isEqualTo(1);
        assertThat(retryCalls("successful_with_retry")).isEqualTo(1);
        assertThat(retryCalls("failed_with_retry")).isEqualTo(1);
        assertThat(retryCalls("failed_without_retry")).isEqualTo(1);
        assertThat(bench.meters
                        .get(RetryEventListener.IGNORED)
                        .tag("name", NAME)
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private double breakerState(String state) {
        return bench.meters
                .get("resilience4j.circuitbreaker.state")
                .tags("name", NAME, "state", state)
                .gauge()
                .value();
    }

    private long breakerCalls(String kind) {
        return bench.meters
                .get("resilience4j.circuitbreaker.calls")
                .tags("name", NAME, "kind", kind)
                .timer()
                .count();
    }

    private double retryCalls(String kind) {
        FunctionCounter counter = bench.meters
                .get("resilience4j.retry.calls")
                .tags("name", NAME, "kind", kind)
                .functionCounter();
        return counter.count();
    }
}

package io.holdfast.resilience;

import static io.holdfast.resilience.ResilienceFixture.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.retry.event.RetryEvent;
import io.holdfast.resilience.ResilienceFixture.Declined;
import io.holdfast.resilience.ResilienceFixture.Unreachable;
import io.holdfast.resilience.breaker.RetryReports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Attempts that a processor makes appear in the same metrics and events as those of operations. */
class RetryReportsTests {

    private final ResilienceFixture bench = ResilienceFixture.steady();

    private double calls(String kind) {
        return bench.meters
                .get("resilience4j.retry.calls")
                .tags("name", NAME, "kind", kind)
                .functionCounter()
                .count();
    }

    private double ignored() {
        return bench.meters
                .get(RetryEventListener.IGNORED)
                .tag("name", NAME)
                .counter()
                .count();
    }

    @Test
    void addsToTheMetricsOfOperations() {
        bench.succeed();
        RetryReports reports = bench.invoker.retry(NAME);

        reports.succeeded(0);
        reports.succeeded(2);
        reports.retrying(1, new Unreachable(), Duration.ofSeconds(1));
        reports.exhausted(3, new Unreachable());
        reports.notRetryable(new Declined());
        bench.fail(new Declined());

        assertThat(calls("successful_without_retry")).isEqualTo(2);
        assertThat(calls("successful_with_retry")).isEqualTo(1);
        assertThat(calls("failed_with_retry")).isEqualTo(1);
        assertThat(calls("failed_without_retry")).isEqualTo(2);
        assertThat(ignored()).isEqualTo(2);
    }

    @Test
    void publishesEvents() {
        List<String> published = new ArrayList<>();
        RetryReports reports = bench.invoker.retry(NAME);
        bench.invoker
                .retries()
                .retry(NAME)
                .getEventPublisher()
                .onEvent(event -> published.add(event.getEventType() + " " + event.getNumberOfRetryAttempts()));

        reports.succeeded(0);
        reports.retrying(1, new Unreachable(), Duration.ofSeconds(1));
        reports.succeeded(1);
        reports.exhausted(3, new Unreachable());
        reports.notRetryable(new Declined());

        assertThat(published)
                .containsExactly(
                        RetryEvent.Type.RETRY + " 1",
                        RetryEvent.Type.SUCCESS + " 1",
                        RetryEvent.Type.ERROR + " 3",
                        RetryEvent.Type.IGNORED_ERROR + " 0");
    }

    @Test
    void createsNoBreaker() {
        bench.invoker.retry("projection").succeeded(0);

        assertThat(bench.invoker.circuitBreakers().find("projection")).isEmpty();
    }

    @Test
    void publishesNothingWhenDisabled() {
        ResilienceFixture disabled = new ResilienceFixture(ResilienceSettings.DEFAULT.enabled(false));

        disabled.invoker.retry(NAME).succeeded(0);

        assertThat(disabled.meters.getMeters()).isEmpty();
    }

    @Test
    void ignoresListenersThatThrow() {
        RetryReports reports = bench.invoker.retry(NAME);
        bench.invoker.retries().retry(NAME).getEventPublisher().onSuccess(event -> {
            throw new IllegalStateException("a listener fails");
        });

        reports.succeeded(1);

        assertThat(calls("successful_with_retry")).isEqualTo(1);
    }
}

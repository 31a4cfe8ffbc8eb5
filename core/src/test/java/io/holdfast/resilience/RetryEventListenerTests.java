package io.holdfast.resilience;

import static io.holdfast.resilience.ResilienceFixture.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.holdfast.resilience.ResilienceFixture.Declined;
import io.holdfast.resilience.ResilienceFixture.Unreachable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class RetryEventListenerTests {

    private final LinesLogger lines = new LinesLogger();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RetryRegistry retries = RetryRegistry.ofDefaults();
    private final Retry.AsyncContext<String> attempts;

    RetryEventListenerTests() {
        new RetryEventListener(retries, meters, lines);
        RetrySettings settings = RetryOverrides.NONE
                .jitter(0)
                .waitDuration(Duration.ofMillis(500))
                .applyTo(RetrySettings.DEFAULT);
        this.attempts = retries.retry(NAME, settings.config()).asyncContext();
    }

    @Test
    void logsFailedAttemptsAndLateSuccess() {
        attempts.onError(new Unreachable());
        attempts.onError(new Unreachable());
        attempts.onComplete();

        String cause = Unreachable.class.getName() + ": connection refused";
        assertThat(lines.written)
                .containsExactly(
                        "WARN Attempt 1 of payment-processing failed, retrying in PT0.5S: " + cause,
                        "WARN Attempt 2 of payment-processing failed, retrying in PT1S: " + cause,
                        "INFO payment-processing succeeded on attempt 3");
    }

    @Test
    void logsExhaustedAttempts() {
        attempts.onError(new Unreachable());
        attempts.onError(new Unreachable());
        attempts.onError(new Unreachable());

        assertThat(lines.written)
                .last()
                .isEqualTo("ERROR payment-processing failed on attempt 3, no attempts left: "
                        + Unreachable.class.getName() + ": connection refused");
    }

    @Test
    void logsAndCountsNonRetryableFailures() {
        assertThat(ignored()).isZero();

        attempts.onError(new Declined());

        assertThat(lines.written)
                .containsExactly("INFO payment-processing failed and is not retried, the failure is not retryable: "
                        + Declined.class.getName() + ": above the limit");
        assertThat(ignored()).isEqualTo(1);
    }

    @Test
    void doesNotLogSuccessOnFirstAttempt() {
        attempts.onComplete();

        assertThat(lines.written).isEmpty();
    }

    @Test
    void listensToExistingRetries() {
        RetryRegistry older = RetryRegistry.ofDefaults();
        Retry.AsyncContext<String> there =
                older.retry("older", RetrySettings.DEFAULT.config()).asyncContext();
        new RetryEventListener(older, meters, lines);

        there.onError(new Declined());

        assertThat(lines.written).hasSize(1);
    }

    private double ignored() {
        return meters.get("framework.resilience.retry.ignored")
                .tag("name", NAME)
                .counter()
                .count();
    }

    private static final class LinesLogger extends LegacyAbstractLogger {

        private final List<String> written = new ArrayList<>();

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            written.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments));
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}

package io.holdfast.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.Runners;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

class InvalidConfigurationFailureAnalyzerTests {

    @Test
    void showsConfigurationErrorsInsteadOfAStackTrace() {
        Runners.inMemory().withPropertyValues("framework.outbox.max-retries=-1").run(context -> {
            Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "the application has started");

            FailureAnalysis analysis =
                    Objects.requireNonNull(new InvalidConfigurationFailureAnalyzer().analyze(failure));

            assertThat(analysis.getDescription())
                    .isEqualTo("invalid Holdfast properties:\n"
                            + "  framework.outbox.max-retries is -1, but must be 0 or more");
            assertThat(analysis.getAction())
                    .isEqualTo("Fix the configuration errors listed above and restart the application.");
        });
    }
}

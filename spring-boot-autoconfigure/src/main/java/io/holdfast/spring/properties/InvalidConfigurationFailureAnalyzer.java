package io.holdfast.spring.properties;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports the errors of the configuration instead of a stack trace. */
final class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    private static final String ACTION = "Fix the configuration errors listed above and restart the application.";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), ACTION, cause);
    }
}

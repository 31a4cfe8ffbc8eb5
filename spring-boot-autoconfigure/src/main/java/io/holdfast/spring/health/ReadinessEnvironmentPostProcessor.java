package io.holdfast.spring.health;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Adds the health of the service to {@code /actuator/health/readiness} by default. The application's own definition of
 * the group takes precedence.
 */
final class ReadinessEnvironmentPostProcessor implements EnvironmentPostProcessor {

    private static final String ENDPOINT = "org.springframework.boot.health.actuate.endpoint.HealthEndpoint";
    private static final Map<String, Object> DEFAULTS = Map.of(
            "management.endpoint.health.probes.enabled",
            "true",
            "management.endpoint.health.group.readiness.include",
            "readinessState,holdfast");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (ClassUtils.isPresent(ENDPOINT, application.getClassLoader()) && isEnabled(environment)) {
            environment.getPropertySources().addLast(new MapPropertySource("holdfastDefaults", DEFAULTS));
        }
    }

    /** A group that includes a missing indicator would fail the startup. */
    private static boolean isEnabled(ConfigurableEnvironment environment) {
        boolean byDefault = environment.getProperty("management.health.defaults.enabled", Boolean.class, true);
        return environment.getProperty("management.health.holdfast.enabled", Boolean.class, byDefault)
                && environment.getProperty("management.endpoint.health.probes.enabled", Boolean.class, true)
                && !environment.getProperty("spring.autoconfigure.exclude", "").contains("io.holdfast.spring.");
    }
}

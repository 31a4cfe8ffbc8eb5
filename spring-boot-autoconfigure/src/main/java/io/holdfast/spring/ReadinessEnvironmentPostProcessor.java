package io.holdfast.spring;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Makes the health of the service a part of {@code /actuator/health/readiness}, as a default: whoever says what the group has
 * decides.
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

    /** A group with a member that is not there would stop the start. */
    private static boolean isEnabled(ConfigurableEnvironment environment) {
        boolean byDefault = environment.getProperty("management.health.defaults.enabled", Boolean.class, true);
        return environment.getProperty("management.health.holdfast.enabled", Boolean.class, byDefault)
                && environment.getProperty("management.endpoint.health.probes.enabled", Boolean.class, true)
                && !environment.getProperty("spring.autoconfigure.exclude", "").contains("io.holdfast.spring.");
    }
}

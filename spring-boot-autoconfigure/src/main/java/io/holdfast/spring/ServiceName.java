package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import org.springframework.core.env.Environment;

/** The name that the service's events carry as their source: {@code spring.application.name}. */
final class ServiceName {

    private static final String PROPERTY = "spring.application.name";

    private ServiceName() {}

    /** @throws InvalidConfigurationException if there is none, or it cannot be the name of a service */
    static String of(Environment environment) {
        String name = environment.getProperty(PROPERTY, "");
        if (name.isBlank()) {
            throw new InvalidConfigurationException(
                    PROPERTY + " is not set; events carry it as their source, and a later change of it"
                            + " makes another service of this one: choose a name that stays");
        }
        try {
            return Names.require(PROPERTY, name);
        } catch (PermanentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()));
        }
    }
}

package io.holdfast.spring.properties;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import org.springframework.core.env.Environment;

/** Reads the name of the service, which its events carry as their source: {@code spring.application.name}. */
public final class ServiceName {

    private static final String PROPERTY = "spring.application.name";

    private ServiceName() {}

    /** @throws InvalidConfigurationException if the name is missing or invalid */
    public static String of(Environment environment) {
        String name = environment.getProperty(PROPERTY, "");
        if (name.isBlank()) {
            throw new InvalidConfigurationException(
                    PROPERTY + " is not set; events carry it as their source, and changing it later creates a"
                            + " different service, so choose a permanent name");
        }
        try {
            return Names.require(PROPERTY, name);
        } catch (PermanentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()));
        }
    }
}

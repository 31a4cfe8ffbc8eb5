package io.holdfast.spring.properties;

import io.holdfast.processing.EventProcessorBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.info.BuildProperties;
import org.springframework.core.env.Environment;

/**
 * Finds the version of the service: {@code framework.service-version}, or else the version of the build that Spring
 * Boot knows, or that of the artifact's manifest.
 */
public final class ServiceVersion {

    private static final String ARTIFACT_VERSION = "spring.application.version";

    private ServiceVersion() {}

    public static String of(HoldfastProperties properties, @Nullable BuildProperties build, Environment environment) {
        if (properties.serviceVersion() != null) {
            return properties.serviceVersion();
        }
        String built = build == null ? null : build.getVersion();
        String version = built == null ? environment.getProperty(ARTIFACT_VERSION, "") : built;
        return version.isBlank() ? EventProcessorBuilder.UNKNOWN_VERSION : version;
    }
}

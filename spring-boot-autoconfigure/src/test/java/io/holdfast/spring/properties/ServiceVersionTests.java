package io.holdfast.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.info.BuildProperties;
import org.springframework.mock.env.MockEnvironment;

class ServiceVersionTests {

    private final MockEnvironment environment = new MockEnvironment();

    private String version(@Nullable BuildProperties build) {
        HoldfastProperties properties = new Binder(ConfigurationPropertySources.get(environment))
                .bindOrCreate("framework", HoldfastProperties.class);
        return ServiceVersion.of(properties, build, environment);
    }

    private static BuildProperties build(String version) {
        Properties entries = new Properties();
        entries.setProperty("version", version);
        return new BuildProperties(entries);
    }

    @Test
    void propertyTakesPrecedence() {
        environment.setProperty("framework.service-version", "3.0");
        environment.setProperty("spring.application.version", "1.0");

        assertThat(version(build("2.0"))).isEqualTo("3.0");
    }

    @Test
    void defaultsToTheBuildAndThenToTheManifest() {
        environment.setProperty("spring.application.version", "1.0");

        assertThat(version(build("2.0"))).isEqualTo("2.0");
        assertThat(version(null)).isEqualTo("1.0");
    }

    @Test
    void isUnknownIfNothingDeclaresIt() {
        assertThat(version(null)).isEqualTo("unknown");
    }
}

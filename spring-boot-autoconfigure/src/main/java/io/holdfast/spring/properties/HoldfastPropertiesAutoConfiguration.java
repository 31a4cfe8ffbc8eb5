package io.holdfast.spring.properties;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/** Auto-configuration of the properties, which are all validated at once. */
@AutoConfiguration
public class HoldfastPropertiesAutoConfiguration {

    @Bean
    BoundProperties holdfastBoundProperties(ConfigurableEnvironment environment, ListableBeanFactory beans) {
        return new PropertyBinding(environment, prefixes(beans)).bind();
    }

    @Bean
    @ConditionalOnMissingBean
    HoldfastProperties holdfastProperties(BoundProperties bound) {
        return bound.framework();
    }

    @Bean
    @ConditionalOnMissingBean
    SagaProperties holdfastSagaProperties(BoundProperties bound) {
        return bound.saga();
    }

    /** Returns the prefixes below {@code framework} and {@code saga} that other beans bind. */
    private static Set<String> prefixes(ListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
                .map(name -> beans.findAnnotationOnBean(name, ConfigurationProperties.class, false))
                .filter(Objects::nonNull)
                .map(annotation -> annotation.prefix().isEmpty() ? annotation.value() : annotation.prefix())
                .filter(prefix ->
                        prefix.startsWith(PropertyNames.ROOT + ".") || prefix.startsWith(PropertyNames.SAGA_ROOT + "."))
                .collect(Collectors.toSet());
    }
}

package io.holdfast.spring.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Binds {@code framework.*} and {@code saga.*} and reports all errors at once: values that cannot be converted, values
 * that are not allowed, and unknown names. For one use.
 */
final class PropertyBinding {

    private static final Logger log = LoggerFactory.getLogger(PropertyBinding.class);
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(PropertyNames.ROOT);
    private static final ConfigurationPropertyName SAGA_ROOT = ConfigurationPropertyName.of(PropertyNames.SAGA_ROOT);
    private static final ConfigurationPropertyName SAGA_TIMEOUT = SAGA_ROOT.append("timeout");

    private final ConfigurableEnvironment environment;
    private final Set<ConfigurationPropertyName> boundElsewhere;
    private final Set<ConfigurationPropertyName> notYetSupported = names(PropertyNames.NOT_YET_SUPPORTED);
    private final CollectingBindHandler handler = new CollectingBindHandler();

    /** @param foreignPrefixes the prefixes that other beans bind */
    PropertyBinding(ConfigurableEnvironment environment, Set<String> foreignPrefixes) {
        this.environment = environment;
        this.boundElsewhere = names(foreignPrefixes);
        this.boundElsewhere.addAll(names(PropertyNames.BOUND_ELSEWHERE));
    }

    /** @throws InvalidConfigurationException with every invalid key, its value and the allowed values */
    BoundProperties bind() {
        Binder binder = Binder.get(environment);
        BoundProperties properties = new BoundProperties(
                binder.bindOrCreate(ROOT, Bindable.of(HoldfastProperties.class), handler),
                binder.bindOrCreate(SAGA_ROOT, Bindable.of(SagaProperties.class), handler));
        List<String> errors = new ArrayList<>(handler.errors());
        errors.addAll(new PropertyChecks(environment).findErrors(properties));
        configuredNames()
                .filter(PropertyBinding::isOurs)
                .filter(name -> !isKnown(name))
                .map(name -> unknownPropertyError(name.toString()))
                .forEach(errors::add);
        if (!errors.isEmpty()) {
            throw new InvalidConfigurationException("invalid Holdfast properties", errors);
        }
        warnAboutUnsupported();
        return properties;
    }

    /** An application may have other properties below {@code saga}, but one that resembles ours is misspelled. */
    private static boolean isOurs(ConfigurationPropertyName name) {
        return ROOT.isAncestorOf(name)
                || SAGA_TIMEOUT.isAncestorOf(name)
                || (SAGA_ROOT.isParentOf(name)
                        && PropertyNames.findSimilar(name.toString()).isPresent());
    }

    private void warnAboutUnsupported() {
        Set<String> unused = configuredNames()
                .filter(name -> isBelow(notYetSupported, name))
                .map(ConfigurationPropertyName::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!unused.isEmpty()) {
            log.warn("This version does not support {} yet; these properties have no effect", unused);
        }
    }

    private boolean isKnown(ConfigurationPropertyName name) {
        Set<ConfigurationPropertyName> bound = handler.bound();
        return bound.contains(name)
                || isBelow(notYetSupported, name)
                || isBelow(boundElsewhere, name)
                || (name.isLastElementIndexed() && bound.contains(name.getParent()));
    }

    private static String unknownPropertyError(String name) {
        return name + " is unknown"
                + PropertyNames.findSimilar(name)
                        .map(similar -> "; did you mean " + similar + "?")
                        .orElse("");
    }

    /**
     * Returns all names that are set, except in the environment of the process: a variable's name does not show its
     * dots and dashes, and may belong to another application.
     */
    private Stream<ConfigurationPropertyName> configuredNames() {
        Set<ConfigurationPropertyName> names = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                iterable.stream().forEach(names::add);
            }
        }
        return names.stream();
    }

    private static boolean isBelow(Set<ConfigurationPropertyName> prefixes, ConfigurationPropertyName name) {
        return prefixes.stream().anyMatch(prefix -> prefix.equals(name) || prefix.isAncestorOf(name));
    }

    private static Set<ConfigurationPropertyName> names(Set<String> texts) {
        return texts.stream().map(ConfigurationPropertyName::of).collect(Collectors.toCollection(TreeSet::new));
    }
}

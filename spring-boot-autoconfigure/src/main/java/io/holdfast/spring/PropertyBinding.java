package io.holdfast.spring;

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
 * Reads {@code framework.*} once and says everything that is wrong with it at once: values that cannot be read, values that
 * are not allowed, names that are not known.
 */
final class PropertyBinding {

    private static final Logger log = LoggerFactory.getLogger(PropertyBinding.class);
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(PropertyNames.ROOT);

    private final ConfigurableEnvironment environment;
    private final Set<ConfigurationPropertyName> boundElsewhere;
    private final Set<ConfigurationPropertyName> notYetSupported = names(PropertyNames.NOT_YET_SUPPORTED);
    private final CollectingBindHandler handler = new CollectingBindHandler();

    /** @param othersPrefixes what is below them is bound by others */
    PropertyBinding(ConfigurableEnvironment environment, Set<String> othersPrefixes) {
        this.environment = environment;
        this.boundElsewhere = names(othersPrefixes);
        this.boundElsewhere.addAll(names(PropertyNames.BOUND_ELSEWHERE));
    }

    /** @throws InvalidConfigurationException that names every wrong key, its value and what is allowed */
    HoldfastProperties bind() {
        HoldfastProperties properties =
                Binder.get(environment).bindOrCreate(ROOT, Bindable.of(HoldfastProperties.class), handler);
        List<String> mistakes = new ArrayList<>(handler.errors());
        mistakes.addAll(new PropertyChecks(environment).findErrors(properties));
        configuredNames()
                .filter(ROOT::isAncestorOf)
                .filter(name -> !isKnown(name))
                .map(name -> unknownPropertyError(name.toString()))
                .forEach(mistakes::add);
        if (!mistakes.isEmpty()) {
            throw new InvalidConfigurationException("properties of Holdfast are wrong", mistakes);
        }
        warnAboutUnsupported();
        return properties;
    }

    private void warnAboutUnsupported() {
        Set<String> unused = configuredNames()
                .filter(name -> isBelow(notYetSupported, name))
                .map(ConfigurationPropertyName::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!unused.isEmpty()) {
            log.warn("This version does not use {} yet; what is set there has no effect", unused);
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
        return name + " is not known"
                + PropertyNames.findSimilar(name)
                        .map(similar -> "; did you mean " + similar + "?")
                        .orElse("");
    }

    /**
     * What is set anywhere but in the environment of the process: there a name does not say where its dots and dashes are, and
     * may be somebody else's.
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

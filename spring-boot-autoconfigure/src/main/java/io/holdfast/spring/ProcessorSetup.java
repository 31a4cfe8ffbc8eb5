package io.holdfast.spring;

import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.ProcessorConfiguration;
import io.holdfast.spring.properties.HoldfastProperties;
import io.holdfast.spring.properties.InvalidConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Applies {@code framework.processors.<name>.*} to the processors. */
final class ProcessorSetup {

    private final Map<String, HoldfastProperties.Processor> processors;

    ProcessorSetup(Map<String, HoldfastProperties.Processor> processors) {
        this.processors = processors;
    }

    void apply(String name, ProcessorConfiguration processor) {
        HoldfastProperties.Processor properties = processors.get(name);
        if (properties == null) {
            return;
        }
        processor.settings(settings -> settings(properties, settings));
        processor.deadLetters(queue -> apply(properties.dlq(), queue));
        properties.startAt().ifPresent(processor::startsAt);
        properties.retires().forEach(processor::retires);
    }

    /** @throws InvalidConfigurationException if properties name a processor that does not exist */
    void requireKnown(Set<String> known) {
        List<String> errors = processors.keySet().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .map(name -> "framework.processors." + name
                        + " configures a processor that does not exist; the processors are " + new TreeSet<>(known))
                .toList();
        if (!errors.isEmpty()) {
            throw new InvalidConfigurationException("invalid Holdfast properties", errors);
        }
    }

    private static ProcessorSettings settings(HoldfastProperties.Processor properties, ProcessorSettings settings) {
        ProcessorSettings changed = settings;
        if (properties.segments() != null) {
            changed = changed.segments(properties.segments());
        }
        if (properties.batchSize() != null) {
            changed = changed.batch(properties.batchSize());
        }
        if (properties.commitInterval() != null) {
            changed = changed.commitInterval(properties.commitInterval());
        }
        return properties.handlerTimeout() == null ? changed : changed.handlerTimeout(properties.handlerTimeout());
    }

    private static void apply(HoldfastProperties.ProcessorDlq properties, QueueConfiguration queue) {
        if (properties.cache().size() != null) {
            queue.cacheSize(properties.cache().size());
        }
        if (Boolean.TRUE.equals(properties.enabled())) {
            queue.enabled();
        } else if (Boolean.FALSE.equals(properties.enabled())) {
            queue.disabled();
        }
    }
}

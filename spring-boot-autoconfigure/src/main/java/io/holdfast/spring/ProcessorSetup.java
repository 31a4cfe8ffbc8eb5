package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.processing.ProcessorSettings;
import io.holdfast.service.ProcessorConfiguration;
import io.holdfast.wire.StartAt;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What {@code framework.processors.<name>.*} says, said to processors. */
final class ProcessorSetup {

    static final String ALLOWED_STARTS = "beginning, now or a time such as 2026-01-31T12:00:00Z";

    private final Map<String, HoldfastProperties.Processor> processors;

    ProcessorSetup(Map<String, HoldfastProperties.Processor> processors) {
        this.processors = processors;
    }

    void apply(String name, ProcessorConfiguration definition) {
        HoldfastProperties.Processor said = processors.get(name);
        if (said == null) {
            return;
        }
        definition.settings(settings -> settings(said, settings));
        definition.deadLetters(queue -> apply(said.dlq(), queue));
        if (said.start() != null) {
            definition.startsAt(startAt(said.start()));
        }
    }

    /** @throws InvalidConfigurationException if something is said of processors that there are not */
    void requireKnown(Set<String> known) {
        List<String> mistakes = processors.keySet().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .map(name -> PropertyNames.ROOT + ".processors." + name + " is of no processor; there are "
                        + new TreeSet<>(known))
                .toList();
        if (!mistakes.isEmpty()) {
            throw new InvalidConfigurationException("properties of Holdfast are wrong", mistakes);
        }
    }

    private static ProcessorSettings settings(HoldfastProperties.Processor said, ProcessorSettings settings) {
        ProcessorSettings changed = settings;
        if (said.segments() != null) {
            changed = changed.segments(said.segments());
        }
        if (said.batchSize() != null) {
            changed = changed.batch(said.batchSize());
        }
        return said.handlerTimeout() == null ? changed : changed.handlerTimeout(said.handlerTimeout());
    }

    private static void apply(HoldfastProperties.ProcessorDlq said, QueueConfiguration queue) {
        if (said.cache().size() != null) {
            queue.cacheSize(said.cache().size());
        }
        if (Boolean.TRUE.equals(said.enabled())) {
            queue.enabled();
        } else if (Boolean.FALSE.equals(said.enabled())) {
            queue.disabled();
        }
    }

    /** @throws PermanentException if it is neither of the words nor a time */
    static StartAt startAt(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "beginning" -> StartAt.BEGINNING;
            case "now" -> StartAt.NOW;
            default -> StartAt.at(time(text.strip()));
        };
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new PermanentException("a processor cannot start at " + text + ", allowed is " + ALLOWED_STARTS, e);
        }
    }
}

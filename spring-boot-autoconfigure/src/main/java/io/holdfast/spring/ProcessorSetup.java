package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.processing.ProcessorSettings;
import io.holdfast.service.ProcessorDefinition;
import io.holdfast.wire.StartAt;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;

/** What {@code framework.processors.<name>.*} says, said to processors. */
final class ProcessorSetup {

    private final Map<String, HoldfastProperties.Processor> processors;

    ProcessorSetup(Map<String, HoldfastProperties.Processor> processors) {
        this.processors = processors;
    }

    void apply(String name, ProcessorDefinition definition) {
        HoldfastProperties.Processor said = processors.get(name);
        if (said == null) {
            return;
        }
        definition.settings(ProcessorSettings.DEFAULT
                .segments(said.segments())
                .batch(said.batchSize())
                .handlerTimeout(said.handlerTimeout()));
        definition.deadLetters(queue -> {
            queue.cacheSize(said.dlq().cache().size());
            Boolean enabled = said.dlq().enabled();
            if (enabled != null) {
                queue = enabled ? queue.enabled() : queue.disabled();
            }
        });
        String start = said.start();
        if (start != null && !start.isBlank()) {
            definition.startsAt(startAt(start));
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
            throw new PermanentException(
                    text + " is not where a processor can start; allowed is beginning, now or a time such as"
                            + " 2026-01-31T12:00:00Z",
                    e);
        }
    }
}

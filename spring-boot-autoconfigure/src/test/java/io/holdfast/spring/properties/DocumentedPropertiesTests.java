package io.holdfast.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.jdbc.Timeouts;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.saga.SagaSettings;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.wire.RecordSigning;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the defaults of the core, the properties, the configuration metadata and docs/reference.md. */
class DocumentedPropertiesTests {

    private static final Pattern ROW =
            Pattern.compile("\\n\\| `((?:framework|saga)\\.[^`]+)` \\|(?: `([^`]+)`)? \\| [^|]+\\|");

    private final BoundProperties bound = bind(Map.of());
    private final HoldfastProperties defaults = bound.framework();

    @Test
    void defaultsEqualThoseOfTheCore() {
        HoldfastProperties.Dlq dlq = defaults.dlq();

        assertThat(defaults.jdbc().networkTimeout()).isEqualTo(Timeouts.DEFAULT.network());
        assertThat(PropertyChecks.LOCK_TIMEOUT).isEqualTo(Timeouts.DEFAULT.lock());
        assertThat(defaults.commands().timeout()).isEqualTo(EventSourcingController.DEFAULT_TIMEOUT);
        assertThat(defaults.outbox().settings()).isEqualTo(OutboxSettings.DEFAULT);
        assertThat(defaults.outbox().entryTtl()).isEqualTo(HoldfastServiceBuilder.DEFAULT_ENTRY_TTL);
        assertThat(new QueueLimits(dlq.maxSequences(), dlq.maxSequenceSize(), dlq.maxWaiting()))
                .isEqualTo(QueueLimits.DEFAULT);
        assertThat(dlq.entryTtl()).isEqualTo(HoldfastServiceBuilder.DEFAULT_RESOLVED_ENTRY_TTL);
        assertThat(defaults.operations().receiptTtl()).isEqualTo(HoldfastServiceBuilder.DEFAULT_RECEIPT_TTL);
        assertThat(dlq.enabled()).isEqualTo(QueueSettings.DEFAULT.enabled());
        assertThat(defaults.idempotency().settings()).isEqualTo(IdempotencySettings.DEFAULT);
        assertThat(defaults.resilience().settings()).isEqualTo(ResilienceSettings.DEFAULT);
        assertThat(defaults.handlers().threads()).isEqualTo(HoldfastServiceBuilder.DEFAULT_HANDLER_THREADS);
        assertThat(defaults.wire().maxEventSize().toBytes()).isEqualTo(PayloadCodec.DEFAULT_MAX_SIZE);
        assertThat(defaults.wire().recordSigning().mode()).isEqualTo(RecordSigning.OFF.mode());
        assertThat(bound.saga().settings()).isEqualTo(SagaSettings.DEFAULT);
    }

    @Test
    void metadataHasEveryPropertyWithItsDefaultAndADescription() throws IOException {
        Map<String, String> metadataDefaults = new TreeMap<>();
        Set<String> names = new TreeSet<>();
        for (JsonNode property : metadata()) {
            String name = property.get("name").asString();
            if (!name.startsWith("framework.") && !name.startsWith("saga.")) {
                continue;
            }
            names.add(name);
            assertThat(property.path("description").asString("")).as(name).isNotEmpty();
            if (property.has("defaultValue")) {
                metadataDefaults.put(name, property.get("defaultValue").asString());
            }
        }

        assertThat(names)
                .containsAll(PropertyNames.bound().stream()
                        .filter(name -> !name.contains(PropertyNames.ANY))
                        .toList())
                .hasSize((int) PropertyNames.bound().stream()
                                .filter(name -> !name.contains(PropertyNames.ANY))
                                .count()
                        + 3); // the three maps, whose keys the user chooses
        assertThat(bind(metadataDefaults)).isEqualTo(bound);
        assertThat(metadataDefaults).hasSizeGreaterThan(25).isEqualTo(withoutPatterns(documented()));
    }

    @Test
    void referenceListsEveryProperty() throws IOException {
        assertThat(documented().keySet())
                .filteredOn(name -> PropertyNames.BOUND_ELSEWHERE.stream().noneMatch(name::startsWith))
                .containsExactlyInAnyOrderElementsOf(PropertyNames.bound().stream()
                        .map(name -> name.replace(PropertyNames.ANY, "<name>"))
                        .toList());
    }

    @Test
    void referenceListsTheDefaultsOfProcessors() throws IOException {
        String prefix = "framework.processors.<name>.";
        Map<String, String> documented = documented();

        assertThat(documented.get(prefix + "segments")).isEqualTo("" + ProcessorSettings.DEFAULT_SEGMENTS);
        assertThat(documented.get(prefix + "batch-size")).isEqualTo("" + ProcessorSettings.DEFAULT_BATCH);
        assertThat(documented.get(prefix + "handler-timeout"))
                .isEqualTo(ProcessorSettings.DEFAULT_HANDLER_TIMEOUT.toSeconds() + "s");
        assertThat(documented.get(prefix + "commit-interval"))
                .isEqualTo(ProcessorSettings.DEFAULT.commitInterval().toSeconds() + "s");
        assertThat(documented.get(prefix + "dlq.cache.size")).isEqualTo("" + QueueSettings.DEFAULT_CACHE_SIZE);
    }

    /** Returns the documented properties by name, with their default or an empty text. */
    private static Map<String, String> documented() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/reference.md")));
        for (int from = 0; rows.find(from); from = rows.end() - 1) {
            documented.put(rows.group(1).replace("<type>", "<name>"), rows.group(2) == null ? "" : rows.group(2));
        }
        return documented;
    }

    private static Map<String, String> withoutPatterns(Map<String, String> documented) {
        Map<String, String> remaining = new TreeMap<>(documented);
        remaining
                .entrySet()
                .removeIf(entry -> entry.getValue().isEmpty() || entry.getKey().contains("<name>"));
        remaining.keySet().removeIf(name -> PropertyNames.BOUND_ELSEWHERE.stream()
                .anyMatch(name::startsWith));
        return remaining;
    }

    /** Returns the metadata of this module; other modules have theirs on the class path too. */
    private static JsonNode metadata() throws IOException {
        for (URL url : Collections.list(DocumentedPropertiesTests.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = url.openStream()) {
                JsonNode properties = JsonMapper.shared().readTree(in).get("properties");
                for (JsonNode property : properties) {
                    if (property.get("name").asString().equals("framework.store")) {
                        return properties;
                    }
                }
            }
        }
        throw new AssertionError("the annotation processor has generated no metadata");
    }

    private static BoundProperties bind(Map<String, String> pairs) {
        StandardEnvironment environment = new StandardEnvironment();
        TestPropertyValues.of(pairs).applyTo(environment);
        return new PropertyBinding(environment, Set.of()).bind();
    }
}

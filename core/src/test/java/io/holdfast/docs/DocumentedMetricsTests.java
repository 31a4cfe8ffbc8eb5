package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.service.HoldfastService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Verifies that docs/reference.md lists exactly the registered metrics. */
class DocumentedMetricsTests {

    private static final Pattern ROW = Pattern.compile("\\n\\| `([a-z.]+)` \\| (counter|gauge|timer)");

    @Test
    void matchTheRegisteredMeters() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Component nothing = Component.named("nothing")
                .on(String.class, (event, context) -> {})
                .build();
        List<String> registered;
        try (HoldfastService service = HoldfastService.named(
                        "documented", new InMemoryStore("documented", Clock.systemUTC()), new InMemoryWire())
                .owns("notes")
                .metrics(registry)
                .sagas(DocumentedMetricsTests::declare)
                .processor("reading", processor -> processor.reads("notes").calls(nothing))
                .start()) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> service.processor("reading").status().isClaimed()
                            && registry.find("directory.replicas").gauge() != null);
            service.commands()
                    .execute(
                            Command.once(Clock.systemUTC()).inSaga("Reading", "saga-1"),
                            Note.TYPE,
                            "n-1",
                            note -> List.of(new Written(), new Read()));
            registered = registry.getMeters().stream()
                    .map(meter -> meter.getId().getName() + " "
                            + meter.getId().getType().name().toLowerCase(Locale.ROOT))
                    .filter(meter -> meter.matches("(eventlog|outbox|processor|dlq|saga|directory)\\..*"))
                    .distinct()
                    .toList();
        }

        List<String> documented = new ArrayList<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/reference.md")));
        while (rows.find()) {
            documented.add(rows.group(1) + " " + rows.group(2));
        }

        assertThat(documented).containsExactlyInAnyOrderElementsOf(registered);
    }

    /** A saga of two steps, because the duration of a step is measured from the one before it. */
    private static void declare(CompensationRegistry registry) {
        registry.saga("Reading")
                .streams("notes")
                .register("Written", "Erased", "documented")
                .completedBy("Read", "documented")
                .cancelBy((saga, decision) -> {});
    }

    record Note() {

        static final AggregateType<Note> TYPE = AggregateType.of("notes", Note.class, new Note())
                .on(Written.class, (note, event) -> note)
                .on(Read.class, (note, event) -> note)
                .build();
    }

    record Written() {}

    record Read() {}
}

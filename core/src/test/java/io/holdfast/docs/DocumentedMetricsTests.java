package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.outbox.OutboxMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/reference.md names the metrics that there are. */
class DocumentedMetricsTests {

    private static final Pattern ROW = Pattern.compile("\\n\\| `([a-z.]+)` \\| (counter|gauge|timer)");

    @Test
    void areThoseThatAreRegistered() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new OutboxMetrics(registry, () -> 0);
        List<String> registered = registry.getMeters().stream()
                .map(meter -> meter.getId().getName() + " "
                        + meter.getId().getType().name().toLowerCase(Locale.ROOT))
                .toList();

        List<String> documented = new ArrayList<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/reference.md")));
        while (rows.find()) {
            documented.add(rows.group(1) + " " + rows.group(2));
        }

        assertThat(documented).containsExactlyInAnyOrderElementsOf(registered);
    }
}

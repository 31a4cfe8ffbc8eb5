package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.handling.Component;
import io.holdfast.processing.settings.ProcessorSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A large replay does not starve other work. */
class ReplayFairnessTests extends ProcessorScenario {

    private final Set<String> broken = new HashSet<>();
    private final List<String> attempted = new ArrayList<>();

    private Component fragile() {
        return Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    attempted.add(event.text());
                    if (broken.contains(event.text())) {
                        throw new Broken(event.text());
                    }
                    copy(event, context);
                })
                .build();
    }

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }

    @Test
    void bulkReplayDoesNotStarveDueSequences() {
        ProcessorSettings batchesOfTen = new ProcessorSettings(
                1, 10, ProcessorSettings.DEFAULT_HANDLER_TIMEOUT, ProcessorSettings.DEFAULT.lease());
        EventProcessor processor = processor("copier", builder -> builder.settings(batchesOfTen), fragile());
        for (int i = 0; i < 60; i++) {
            broken.add("k" + i);
            appendInput("k" + i, "k" + i);
        }
        runFor(Duration.ofSeconds(2), processor);
        failing.add("due");
        appendInput("due", "due");
        run(processor);
        assertThat(parkedTexts("due")).containsExactly("due");
        broken.clear();
        failing.clear();
        attempted.clear();
        clock.advance(Duration.ofSeconds(5));

        BulkReplay replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        for (int step = 0; step < 2; step++) {
            processor.step();
            committer.commitWaiting();
        }

        assertThat(replay.result()).isNotDone();
        assertThat(attempted).contains("due");
    }
}

package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.*;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import java.time.Duration;
import java.util.*;
import org.junit.jupiter.api.Test;

class ReplayWhileFullTests extends ProcessorScenario {
    private final Set<String> broken = new HashSet<>();
    private final List<String> changes = new ArrayList<>();
    private final List<String> attempted = new ArrayList<>();

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }

    @Test
    void failedReplayStaysPendingWhileTheQueueIsFull() {
        Component c = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    attempted.add(event.text());
                    if (broken.contains(event.text())) throw new Broken(event.text());
                    copy(event, context);
                })
                .build();
        EventProcessor processor = processor(
                "copier",
                b -> b.deadLetters(new QueueConfiguration().maxSequences(1))
                        .deadLetterListener(ch ->
                                changes.add(ch.kind() + " " + ch.sequence().sequence())),
                c);
        broken.addAll(Set.of("a1", "b1"));
        appendInput("a", "a1");
        run(processor);
        appendInput("b", "b1");
        runFor(Duration.ofSeconds(40), processor);
        assertThat(parked()).singleElement().satisfies(s -> assertThat(s.state())
                .isEqualTo(SequenceState.PENDING));
        attempted.clear();
        changes.add("-- replay");

        var result = processor
                .deadLetterProcessor("copies")
                .process(l -> l.message().key().equals("a"));
        run(processor);
        assertThat(result).isCompletedWithValue(false);
        runFor(Duration.ofMinutes(5), processor);
        assertThat(Collections.frequency(attempted, "a1"))
                .as("attempted only when requested")
                .isEqualTo(1);
    }
}

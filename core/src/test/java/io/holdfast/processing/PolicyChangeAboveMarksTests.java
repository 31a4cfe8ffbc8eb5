package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.processing.settings.ProcessorSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Marks left above the position do not block operations that need segments without marks. */
class PolicyChangeAboveMarksTests extends ProcessorScenario {

    private boolean isFirstPending = true;

    private Component firstNeverCompletes() {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    boolean isNever = isFirstPending && event.text().equals("a1");
                    return isNever ? new CompletableFuture<Void>() : CompletableFuture.completedFuture(null);
                })
                .build();
    }

    /** Small batches, so that marks are left further above the position than one batch reads. */
    private static UnaryOperator<EventProcessorBuilder> inBatchesOfTwo(int segments) {
        return builder ->
                builder.settings(ProcessorSettings.DEFAULT.segments(segments).batch(2));
    }

    private void createMarks(int segments) {
        appendInput("a", "a1");
        for (int i = 0; i < 8; i++) {
            appendInput("b" + i, "b" + i);
        }
        EventProcessor first = processor("copier", inBatchesOfTwo(segments), firstNeverCompletes());
        run(first);
        assertThat(store.tokenStore().findAll("copier"))
                .anySatisfy(claimed -> assertThat(claimed.token().marks()).isNotEmpty());
        first.release();
        isFirstPending = false;
    }

    @Test
    void changesPolicyAlthoughMarksWereLeft() {
        createMarks(1);

        EventProcessor second = processor(
                "copier",
                builder -> inBatchesOfTwo(1)
                        .apply(builder)
                        .sequencedBy(SequencingPolicy.fullySequential())
                        .formerlySequencedBy(SequencingPolicy.streamAndKey()),
                firstNeverCompletes());
        runFor(Duration.ofSeconds(10), second);

        assertThat(output()).contains("a1").hasSize(9).doesNotHaveDuplicates();
        assertThat(store.tokenStore().findAll("copier"))
                .allSatisfy(
                        claimed -> assertThat(claimed.token().setup().policy()).isEqualTo("fully-sequential/1"));
    }
}

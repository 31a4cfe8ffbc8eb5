package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A paused processor stays paused, whatever operations complete meanwhile. */
class PausedOperationsTests extends ProcessorScenario {

    @Test
    void splittingAPausedProcessorHandlesNothing() {
        appendInput("a", "a1");
        EventProcessor processor = segmented(1, copying());
        run(processor);
        processor.pause();
        clock.advance(Duration.ofSeconds(1));
        run(processor);
        appendInput("a", "a2");
        appendInput("b", "b1");

        CompletableFuture<Integer> split = processor.split(0);
        run(processor);

        assertThat(split).isCompletedWithValue(1);
        assertThat(handled).containsExactly("a1");
        processor.resume();
        clock.advance(Duration.ofSeconds(1));
        run(processor);
        assertThat(output()).containsExactlyInAnyOrder("a1", "a2", "b1");
    }
}

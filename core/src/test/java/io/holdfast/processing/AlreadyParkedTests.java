package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.Cause;
import io.holdfast.event.EventMessage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An event is parked once per queue, even if application code has parked it before. */
class AlreadyParkedTests extends ProcessorScenario {

    @Test
    void parksEventOnceIfApplicationParkedItBefore() {
        EventProcessor processor = processor("copier", copying());
        run(processor);
        appendInput("a", "a1", "a2");
        EventMessage first = store.eventLog().readStream("input", 0, 1).get(0);
        processor.deadLetterQueue("copies").enqueue("input/a", first, Cause.of(new IllegalStateException("not yet")));
        appendInput("b", "b1");

        runFor(Duration.ofMinutes(1), processor);

        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        assertThat(output()).containsExactly("b1");
        assertThat(position(processor)).isEqualTo(3);
        assertThat(processor.status().problems()).isEmpty();
    }
}

package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.Component;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.LogStreamSource;
import io.holdfast.wire.source.RestoredPosition;
import io.holdfast.wire.source.StreamSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However often an event is delivered, it takes effect once in each component of each processor. */
class DuplicateTests extends ProcessorScenario {

    @Test
    void deduplicatesPerComponentAndProcessor() {
        appendInput("a", "1");
        EventProcessor one = processor(
                "copier",
                copying(),
                Component.named("second").on(TextAdded.class, this::copy).build());
        EventProcessor other = processor("other", copying());

        run(one, other);
        run(one, other);

        assertThat(output()).containsExactly("1", "1", "1");
    }

    @Test
    void skipsEventRedeliveredAYearLater() {
        appendInput("a", "1");
        RedeliveringSource source = new RedeliveringSource();
        run(reading(source));
        clock.advance(Duration.ofDays(365));
        appendInput("a", "2");
        source.fromTheBeginning = true;

        run(reading(source));

        assertThat(handled).containsExactly("1", "2");
        assertThat(output()).containsExactly("1", "2");
    }

    @Test
    void skipsEventRedeliveredInTheSamePage() {
        appendInput("a", "1", "2");
        RedeliveringSource source = new RedeliveringSource();
        source.redelivers = true;

        EventProcessor processor = reading(source);
        run(processor);

        assertThat(handled).containsExactly("1", "2");
        assertThat(output()).containsExactly("1", "2");
        assertThat(position(processor)).isEqualTo(2);
    }

    private EventProcessor reading(StreamSource source) {
        return builder("copier").reads("input", source).calls(copying()).build();
    }

    /** A source that redelivers events. */
    private final class RedeliveringSource implements StreamSource {

        private final StreamSource source =
                new LogStreamSource(store.eventLog(), store.consumerGroups(), "test/copier");
        private boolean redelivers;
        private boolean fromTheBeginning;

        @Override
        public Optional<StreamPosition> start(String stream, StartAt start) {
            return source.start(stream, start);
        }

        @Override
        public List<EventMessage> read(String stream, StreamPosition after, int limit) {
            if (fromTheBeginning) {
                return store.eventLog().readStream(stream, 0, limit);
            }
            List<EventMessage> events = new ArrayList<>();
            for (EventMessage event : source.read(stream, after, limit)) {
                events.add(event);
                if (redelivers) {
                    events.add(event);
                }
            }
            return events;
        }

        @Override
        public void onResponse(Runnable signal) {}

        @Override
        public Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader) {
            return source.positionAfterRestore(stream, reader);
        }

        @Override
        public Optional<Long> head(String stream) {
            return source.head(stream);
        }

        @Override
        public void report(String stream, @Nullable StreamPosition start, StreamPosition reached) {}
    }
}

package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.processing.status.SegmentStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Status and metrics report the actual state. */
class StatusTests extends ProcessorScenario {

    private static final Duration REBALANCE_TIME = Duration.ofSeconds(6);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private EventProcessor replica(String id, int segments, Component... components) {
        EventProcessorBuilder builder =
                inSegments(segments).apply(builder("copier", id, stores())).metrics(registry);
        for (Component component : components) {
            builder.calls(component);
        }
        return builder.build();
    }

    private double count(String outcome) {
        return registry.get("processor.events")
                .tags("processor", "copier", "outcome", outcome)
                .counter()
                .count();
    }

    private @Nullable Gauge lag(int segment) {
        return registry.find("processor.lag")
                .tags("processor", "copier", "segment", Integer.toString(segment))
                .gauge();
    }

    @Test
    void reportsOwnerAndPositionOfEachSegment() {
        EventProcessor one = replica("one", 2, copying());
        EventProcessor two = replica("two", 2, copying());
        runFor(REBALANCE_TIME, one, two);
        appendInput(keyOf(0, 2), "0");
        appendInput(keyOf(1, 2), "1");
        runFor(REBALANCE_TIME, one, two);

        for (EventProcessor replica : new EventProcessor[] {one, two}) {
            assertThat(replica.status().segments())
                    .extracting(
                            SegmentStatus::number, segment -> segment.owner().orElse(""))
                    .containsExactly(tuple(0, "one"), tuple(1, "two"));
            assertThat(replica.status().positions().get("input"))
                    .extracting(position -> position == null ? -1 : position.position())
                    .isEqualTo(2L);
            assertThat(replica.status().problems()).isEmpty();
        }
        assertThat(claimed(one)).containsExactly(0);
        assertThat(claimed(two)).containsExactly(1);
    }

    @Test
    void reportsLagAndEventsAhead() {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        EventProcessor processor = replica(
                "one",
                1,
                Component.named("copies")
                        .onAsync(
                                TextAdded.class,
                                (event, context) -> event.text().equals("slow") ? stage : done())
                        .build());
        run(processor);
        appendInput("a", "1");
        run(processor);
        appendInput("b", "slow");
        appendInput("c", "2", "3");

        runFor(Duration.ofSeconds(2), processor);
        assertThat(processor.status().segments()).singleElement().satisfies(segment -> {
            assertThat(segment.lag()).isEqualTo(3);
            assertThat(segment.ahead()).isEqualTo(3);
        });
        assertThat(lag(0)).isNotNull().extracting(Gauge::value).isEqualTo(3.0);
        stage.complete(null);
        runFor(Duration.ofSeconds(2), processor);

        assertThat(processor.status().segments().get(0).lag()).isZero();
        assertThat(processor.status().segments().get(0).ahead()).isZero();
        assertThat(lag(0)).isNotNull().extracting(Gauge::value).isEqualTo(0.0);
    }

    private static CompletableFuture<@Nullable Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    @Test
    void reportsThatASegmentWaitsForAHandlerThread() {
        Queue<Runnable> waiting = new ArrayDeque<>();
        EventProcessor processor = processor("copier", builder -> builder.threads(waiting::add), copying());
        appendInput("a", "1");
        run(processor);
        Instant since = clock.instant();

        runFor(Duration.ofSeconds(9), processor);
        assertThat(processor.status().problems()).as("usual under load").isEmpty();
        runFor(Duration.ofSeconds(1), processor);
        assertThat(processor.status().segments())
                .singleElement()
                .extracting(SegmentStatus::waitingForThreadSince)
                .isEqualTo(Optional.of(since));
        assertThat(processor.status().problems())
                .containsExactly("DEGRADED: segment 0 has been waiting for a handler thread since " + since);
        waiting.remove().run();
        run(processor);

        assertThat(processor.status().problems()).isEmpty();
        assertThat(output()).containsExactly("1");
    }

    @Test
    void reportsLagOnlyOfOwnedSegments() {
        EventProcessor one = replica("one", 2, copying());
        run(one);
        assertThat(lag(0)).isNotNull();
        assertThat(lag(1)).isNotNull();

        EventProcessor two = processor("copier", inSegments(2), copying());
        runFor(REBALANCE_TIME, one, two);
        assertThat(claimed(one)).containsExactly(0);
        assertThat(lag(1)).as("the other replica owns it").isNull();
        assertThat(lag(0)).isNotNull();
        one.release();

        assertThat(lag(0)).isNull();
    }

    @Test
    void countsEventsByOutcome() {
        appendInput("a", "1", "2", "3");
        appendInput("b", "4");
        failing.add("2");
        EventProcessor processor = replica("one", 1, copying());

        run(processor);
        assertThat(count("handled")).isEqualTo(2);
        assertThat(count("failed")).isEqualTo(1);
        assertThat(count("parked")).isEqualTo(1);
        assertThat(count("replayed")).isZero();
        failing.clear();
        runFor(Duration.ofSeconds(2), processor);

        assertThat(count("handled")).isEqualTo(2);
        assertThat(count("failed")).isEqualTo(1);
        assertThat(count("replayed")).isEqualTo(2);
    }

    @Test
    void doesNotCountUncommittedEvents() {
        appendInput("a", "1");
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store is gone"));
        EventProcessor processor = replica("one", 1, copying());
        run(processor);
        assertThat(count("handled")).isZero();
        failingBefore.clear();

        runFor(Duration.ofSeconds(3), processor);

        assertThat(count("handled")).isEqualTo(1);
    }

    @Test
    void countsParkedSequencesByState() {
        appendInput("a", "1");
        appendInput("b", "2", "3");
        appendInput("c", "4");
        failing.add("1");
        EventProcessor processor = replica(
                "one",
                1,
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            if (event.text().equals("2")) {
                                throw new PermanentException("declined");
                            }
                            copy(event, context);
                        })
                        .build());

        run(processor);
        assertThat(processor.status().parked()).isEqualTo(Map.of(SequenceState.RETRYING, 1, SequenceState.PENDING, 1));
        failing.clear();
        runFor(Duration.ofSeconds(2), processor);

        assertThat(processor.status().parked()).isEqualTo(Map.of(SequenceState.PENDING, 1));
    }

    @Test
    void reportsProblemsWhileTheyLast() {
        EventProcessor processor = replica("one", 1, copying());
        run(processor);
        appendInput("a", "1");
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store is gone"));

        run(processor);
        assertThat(processor.status().problems()).singleElement().asString().contains("the store is gone");
        assertThat(processor.status().segments().get(0).failures()).isEqualTo(1);
        runFor(Duration.ofSeconds(10), processor);
        assertThat(processor.status().segments().get(0).failures()).isGreaterThan(1);
        failingBefore.clear();
        runFor(Duration.ofSeconds(31), processor);

        assertThat(processor.status().problems()).isEmpty();
        assertThat(processor.status().segments().get(0).failures()).isZero();
    }
}

package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.token.Mark;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asynchronous handlers complete in any order: no event is lost, duplicated or out of order within its sequence. */
class AsynchronousHandlingTests extends ProcessorScenario {

    private final Map<String, CompletableFuture<@Nullable Void>> stages = new HashMap<>();
    private final Map<String, EventContext> contexts = new HashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void shutDownThreads() {
        threads.shutdown();
    }

    /** Handling an event ends when its stage is completed. */
    private Component asyncComponent() {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    contexts.put(event.text(), context);
                    return stages.computeIfAbsent(event.text(), unknown -> new CompletableFuture<>());
                })
                .build();
    }

    private void complete(String... texts) {
        List.of(texts).forEach(text -> stages.computeIfAbsent(text, unknown -> new CompletableFuture<>())
                .complete(null));
    }

    private Token token() {
        return store.tokenStore().find(new Segment("copier", 0)).orElseThrow();
    }

    private void appendOneEach(String... keys) {
        List.of(keys).forEach(key -> appendInput(key, key));
    }

    /** Otherwise the next owner would accept lost events of the former epoch, and forget what is marked. */
    @Test
    void storesThePositionBelowMarksInTheEpochOfTheirEvents() {
        EventProcessor processor = processor("copier", asyncComponent());
        appendOneEach("a");
        run(processor);
        store.commitStore().raiseEpoch();
        appendOneEach("b");
        run(processor);

        complete("b");
        runFor(Duration.ofSeconds(1), processor);

        assertThat(token().marks()).extracting(Mark::position).containsExactly(2L);
        StreamPosition below = Objects.requireNonNull(token().positions().get("input"));
        assertThat(below.position()).isZero();
        assertThat(below.log().epoch()).isEqualTo(2);
    }

    @Test
    void commitsAndMarksEventsCompletedOutOfOrder() {
        appendOneEach("a", "b", "c", "d");
        EventProcessor processor = processor("copier", asyncComponent());
        run(processor);

        complete("d", "b");
        runFor(Duration.ofSeconds(1), processor);
        assertThat(output()).containsExactly("b", "d");
        assertThat(position(processor)).isZero();
        assertThat(token().marks()).extracting(Mark::position).containsExactlyInAnyOrder(2L, 4L);
        complete("a");
        runFor(Duration.ofSeconds(1), processor);
        assertThat(position(processor)).isEqualTo(2);
        assertThat(token().marks()).extracting(Mark::position).containsExactly(4L);
        complete("c");
        runFor(Duration.ofSeconds(1), processor);

        assertThat(position(processor)).isEqualTo(4);
        assertThat(token().marks()).isEmpty();
        assertThat(output()).containsExactly("b", "d", "a", "c");
    }

    @Test
    void handlesOnlyUnfinishedEventsAgainAfterRestart() {
        appendOneEach("a", "b", "c", "d");
        EventProcessor first = processor("copier", asyncComponent());
        run(first);
        complete("b", "d");
        runFor(Duration.ofSeconds(1), first);
        first.release();
        handled.clear();

        EventProcessor second = processor("copier", asyncComponent());
        run(second);
        assertThat(handled).containsExactly("a", "c");
        complete("a", "c");
        runFor(Duration.ofSeconds(1), second);

        assertThat(output()).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(position(second)).isEqualTo(4);
        assertThat(token().marks()).isEmpty();
    }

    @Test
    void rejectsLateResultWhileEventIsHandledAgain() {
        List<CompletableFuture<@Nullable Void>> runs = new ArrayList<>();
        Component slow = Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    runs.add(new CompletableFuture<>());
                    return runs.get(runs.size() - 1);
                })
                .build();
        ResilienceSettings once = ResilienceSettings.DEFAULT.enabled(false);
        EventProcessor processor = processor(
                "copier",
                builder -> builder.resilience(once, Breakers.NONE, new BreakerProbes(once))
                        .deadLetters(new QueueConfiguration().disabled()),
                slow);
        appendOneEach("a");
        run(processor);
        runFor(ProcessorSettings.DEFAULT_HANDLER_TIMEOUT.plusSeconds(5), processor);
        assertThat(runs)
                .as("it timed out, could not be parked, and is handled again")
                .hasSize(2);

        runs.get(0).complete(null);
        run(processor);
        assertThat(output()).isEmpty();
        assertThat(position(processor)).isZero();
        runs.get(1).complete(null);
        run(processor);

        assertThat(output()).containsExactly("a");
        assertThat(position(processor)).isEqualTo(1);
    }

    @Test
    void marksBelongToOneComponent() {
        appendOneEach("a");
        List<String> seen = new ArrayList<>();
        Component quick = Component.named("quick")
                .on(TextAdded.class, (event, context) -> seen.add(event.text()))
                .build();
        EventProcessor first = processor("copier", asyncComponent(), quick);
        runFor(Duration.ofSeconds(1), first);
        first.release();

        EventProcessor second = processor("copier", asyncComponent(), quick);
        complete("a");
        run(second);

        assertThat(seen).containsExactly("a");
        assertThat(output()).containsExactly("a");
    }

    @Test
    void laterEventOfSequenceWaitsAndOtherSequencesContinue() {
        appendInput("a", "a1", "a2");
        appendInput("b", "b1", "b2");
        complete("b1", "b2", "a2");
        EventProcessor processor = processor("copier", asyncComponent());

        run(processor);
        assertThat(handled).containsExactly("a1", "b1", "b2");
        complete("a1");
        run(processor);

        assertThat(output("a")).containsExactly("a1", "a2");
        assertThat(handled).containsExactly("a1", "b1", "b2", "a2");
    }

    @Test
    void handlesAtMostAThousandEventsAheadOfARunningOne() {
        appendInput("slow", "slow");
        for (int i = 0; i < 15; i++) {
            appendInput(
                    "key-" + i,
                    IntStream.range(i * 100, i * 100 + 100)
                            .mapToObj(Integer::toString)
                            .peek(this::complete)
                            .toArray(String[]::new));
        }
        EventProcessor processor = processor("copier", asyncComponent());

        run(processor);
        assertThat(handled).hasSize(1_000);
        assertThat(processor.status().segments().get(0).ahead()).isEqualTo(1_000);
        complete("slow");
        run(processor);

        assertThat(output()).hasSize(1_501).doesNotHaveDuplicates();
        assertThat(handled).doesNotHaveDuplicates();
    }

    @Test
    void parksExceptionalCompletionWithUnwrappedCause() {
        appendInput("a", "a1", "a2");
        EventProcessor processor = processor("copier", asyncComponent());
        run(processor);

        stage("a1").completeExceptionally(new CompletionException(new IllegalStateException("declined")));
        run(processor);

        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        assertThat(letters("a").get(0).cause()).extracting(Cause::type).isEqualTo("java.lang.IllegalStateException");
        assertThat(output()).isEmpty();
        assertThat(position(processor)).isEqualTo(2);
    }

    private CompletableFuture<@Nullable Void> stage(String text) {
        return stages.computeIfAbsent(text, unknown -> new CompletableFuture<>());
    }

    @Test
    void parksNullStageAsPending() {
        appendInput("a", "1");
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .onAsync(TextAdded.class, (event, context) -> completedStage())
                        .build());

        run(processor);

        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
        assertThat(letters("a").get(0).cause())
                .extracting(Cause::message)
                .asString()
                .contains("returned null instead of a CompletionStage");
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // as code without a null checker may do
    private static CompletableFuture<@Nullable Void> completedStage() {
        return null;
    }

    @Test
    void parksTimedOutEventAndRejectsItsLateEffects() {
        appendInput("a", "a1", "a2");
        appendInput("b", "b1");
        EventProcessor processor = processor("copier", asyncComponent());
        run(processor);
        runFor(Duration.ofSeconds(60), processor);
        assertThat(parked()).as("not yet").isEmpty();

        clock.advance(Duration.ofMillis(1));
        complete("b1");
        processor.step();
        committer.commitWaiting();

        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        assertThat(letters("a").get(0).cause()).extracting(Cause::type).isEqualTo(TimeoutException.class.getName());
        assertThatThrownBy(() -> context("a1").decide(decision -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
        complete("a1");
        processor.step();
        committer.commitWaiting();
        assertThat(output()).as("b1 completed in time").containsExactly("b1");
        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
    }

    private EventContext context(String text) {
        EventContext context = contexts.get(text);
        if (context == null) {
            throw new AssertionError(text + " was not handled");
        }
        return context;
    }

    @Test
    void acceptsEffectsOnlyUntilStageCompletes() {
        appendInput("a", "1");
        EventProcessor processor = processor("copier", asyncComponent());
        run(processor);

        context("1").decide(decision -> decision.append(OUTPUT, "late", new TextAdded("late")));
        complete("1");
        assertThatThrownBy(() -> context("1").decide(decision -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> context("1").update(new View<>("v", Text.class), "k", row -> row))
                .isInstanceOf(IllegalStateException.class);
        run(processor);

        assertThat(output()).containsExactly("1", "late");
    }

    @Test
    void acceptsCompletionOnAnyThread() throws Exception {
        appendInput("a", "a1", "a2");
        EventProcessor processor = processor("copier", asyncComponent());
        run(processor);

        threads.submit(() -> complete("a1", "a2")).get();
        run(processor);

        assertThat(output()).containsExactly("a1", "a2");
    }

    @Test
    void reportsSlowSynchronousHandlerWithoutInterruptingIt() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        appendInput("a", "1");
        EventProcessor processor = processor(
                "copier",
                builder -> builder.threads(threads),
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            started.countDown();
                            waitInHandler(end);
                            copy(event, context);
                        })
                        .build());
        run(processor);
        started.await();
        runFor(Duration.ofSeconds(60), processor);
        assertThat(processor.status().problems()).isEmpty();

        runFor(Duration.ofSeconds(60), processor);
        assertThat(processor.status().problems())
                .singleElement()
                .asString()
                .startsWith("DEGRADED: test/copier/copies has been handling TextAdded ");
        assertThat(processor.status().segments().get(0).slowHandlers())
                .singleElement()
                .satisfies(slow -> assertThat(slow.stack()).contains("waitInHandler"));
        assertThat(parked()).isEmpty();
        assertThat(claimed(processor)).as("its lease is renewed").containsExactly(0);
        end.countDown();
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            run(processor);
            return output().equals(List.of("1"));
        });

        assertThat(processor.status().problems()).isEmpty();
        assertThat(handled).containsExactly("1");
    }
}

package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.handling.Component;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Operators replay parked letters. */
class ReplayTests extends ProcessorScenario {

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

    private void park(EventProcessor processor, String... keys) {
        for (String key : keys) {
            broken.add(key + "1");
            appendInput(key, key + "1", key + "2");
            run(processor);
            clock.advance(Duration.ofSeconds(1));
        }
        attempted.clear();
    }

    @Test
    void replaysSequenceThatHasBeenDueLongest() {
        EventProcessor processor = segmented(4, fragile());
        park(processor, "a", "b", "c");
        SequencedDeadLetterProcessor letters = processor.deadLetterProcessor("copies");

        CompletableFuture<Boolean> failed = letters.processAny();
        run(processor);
        broken.remove("b1");
        CompletableFuture<Boolean> drained = letters.processAny();
        run(processor);

        assertThat(failed).isCompletedWithValue(false);
        assertThat(drained).isCompletedWithValue(true);
        assertThat(attempted).containsExactly("a1", "b1", "b2");
        assertThat(output("b")).containsExactly("b1", "b2");
        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
    }

    @Test
    void returnsFalseIfNothingIsParked() {
        EventProcessor processor = segmented(4, fragile());
        run(processor);

        CompletableFuture<Boolean> nothing =
                processor.deadLetterProcessor("copies").processAny();
        run(processor);

        assertThat(nothing).isCompletedWithValue(false);
    }

    @Test
    void replaysFirstSequenceThatMatches() {
        EventProcessor processor = segmented(4, fragile());
        park(processor, "a", "b", "c");
        broken.clear();

        CompletableFuture<Boolean> drained = processor
                .deadLetterProcessor("copies")
                .process(letter -> letter.message().key().equals("c"));
        run(processor);

        assertThat(drained).isCompletedWithValue(true);
        assertThat(output()).containsExactly("c1", "c2");
    }

    @Test
    void replaysEverySequenceOnce() {
        EventProcessor processor = segmented(4, fragile());
        park(processor, "a", "b", "c", "d");
        broken.removeAll(Set.of("a1", "c1"));

        BulkReplay replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        run(processor);

        assertThat(replay.result()).isCompletedWithValue(new BulkProgress(4, 4, 2, 2, BulkProgress.Status.COMPLETED));
        assertThat(attempted).containsExactlyInAnyOrder("a1", "a2", "b1", "c1", "c2", "d1");
    }

    @Test
    void replaysNoOtherSequenceIfTheCanaryFails() {
        EventProcessor processor = segmented(4, fragile());
        park(processor, "a", "b", "c");

        BulkReplay replay =
                processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED.canaryFirst());
        run(processor);

        assertThat(replay.result().join().status()).isEqualTo(BulkProgress.Status.CANARY_FAILED);
        assertThat(attempted).containsExactly("a1");
    }

    @Test
    void replaysAtTheReplicaThatOwnsTheSegment() {
        EventProcessor one = segmented(2, fragile());
        EventProcessor other = segmented(2, fragile());
        runFor(Duration.ofSeconds(30), one, other);
        for (String key : List.of("a", "b", "c", "d", "e", "f")) {
            broken.add(key + "1");
            appendInput(key, key + "1", key + "2");
        }
        run(one, other);
        broken.clear();

        BulkReplay replay = one.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        runFor(Duration.ofSeconds(5), one, other);

        assertThat(replay.result().join()).isEqualTo(new BulkProgress(6, 6, 6, 0, BulkProgress.Status.COMPLETED));
        assertThat(output()).hasSize(12).doesNotHaveDuplicates();
        assertThat(one.status().isClaimed()).isFalse();
    }

    @Test
    void completesTwoRequestsForTheSameRemoteSequence() {
        EventProcessor one = segmented(2, fragile());
        EventProcessor other = segmented(2, fragile());
        runFor(Duration.ofSeconds(30), one, other);
        one.release();
        broken.add("a1");
        appendInput("a", "a1");
        runFor(Duration.ofSeconds(1), other);
        broken.clear();
        runFor(Duration.ofSeconds(30), other);
        EventProcessor third = segmented(2, fragile());
        CompletableFuture<Boolean> first = third.deadLetterProcessor("copies").processAny();
        BulkReplay second = third.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);

        runFor(Duration.ofSeconds(5), third, other);

        assertThat(first).isCompletedWithValue(true);
        assertThat(second.result()).as("%s", second.progress()).isCompleted();
        assertThat(output()).containsExactly("a1");
    }

    @Test
    void rejectsRequestsWhenClosed() {
        EventProcessor processor = segmented(2, fragile());
        run(processor);
        CompletableFuture<Boolean> before =
                processor.deadLetterProcessor("copies").processAny();
        processor.release();
        CompletableFuture<Boolean> after =
                processor.deadLetterProcessor("copies").processAny();

        assertThat(before).isCompletedExceptionally();
        assertThat(after).isCompletedExceptionally();
    }

    @Test
    void rejectsRequestsWhilePaused() {
        EventProcessor processor = segmented(2, fragile());
        park(processor, "a");
        processor.pause();
        runFor(Duration.ofSeconds(2), processor);

        CompletableFuture<Boolean> result =
                processor.deadLetterProcessor("copies").processAny();
        run(processor);

        assertThat(result).isCompletedExceptionally();
        assertThat(result.handle((value, failure) -> failure.toString()).join()).contains("it is paused; resume it");
    }
}

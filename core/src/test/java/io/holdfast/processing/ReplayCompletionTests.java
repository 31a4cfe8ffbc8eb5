package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.RetryableException;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.handling.Component;
import io.holdfast.processing.replay.ComponentReplays;
import io.holdfast.processing.replay.KeyOrder;
import io.holdfast.processing.replay.ReplayRequests;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.ProcessorRegistration;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.segment.SegmentClaims;
import io.holdfast.processing.segment.SegmentRequirements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever happens meanwhile, a requested replay completes with its outcome, and the processor does not spin. */
class ReplayCompletionTests extends ProcessorScenario {

    private final Set<String> broken = new HashSet<>();
    private final List<String> attempted = new ArrayList<>();
    private final FailingLetterStore letters = new FailingLetterStore(store.deadLetterStore());

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

    private EventProcessorBuilder fragileBuilder() {
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), letters.store(), store.actionStore(), store.unitTransactions(), committer);
        return builder("copier", UUID.randomUUID().toString(), stores).calls(fragile());
    }

    private void park(EventProcessor processor, String... keys) {
        for (String key : keys) {
            broken.add(key + "1");
            appendInput(key, key + "1");
        }
        runFor(Duration.ofSeconds(1), processor);
        broken.clear();
        attempted.clear();
    }

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }

    @Test
    void continuesAfterLettersCouldNotBeRead() {
        EventProcessor processor = fragileBuilder().build();
        park(processor, "a");
        letters.failing.put("findFirstLetters", new RetryableException("the store is gone"));
        CompletableFuture<Boolean> drained =
                processor.deadLetterProcessor("copies").processAny();
        run(processor);
        letters.failing.clear();

        runFor(Duration.ofSeconds(40), processor);

        assertThat(drained).isCompletedWithValue(true);
    }

    @Test
    void continuesAfterParkedSequencesCouldNotBeQueried() {
        EventProcessor processor = fragileBuilder()
                .deadLetters(new QueueConfiguration().cacheSize(0))
                .build();
        park(processor, "a", "b", "c");
        BulkReplay replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        letters.successesBeforeFailure.put("findSequences", 1);
        letters.failing.put("findSequences", new RetryableException("the store is gone"));
        run(processor);
        letters.failing.clear();

        runFor(Duration.ofSeconds(40), processor);

        assertThat(replay.result()).isCompletedWithValue(new BulkProgress(3, 3, 3, 0, BulkProgress.Status.COMPLETED));
    }

    @Test
    void doesNotSpinWhileNothingCanBeSelected() {
        EventProcessor processor = fragileBuilder().build();
        park(processor, "a");
        letters.failing.put("findByNextAttempt", new RetryableException("the store is gone"));
        CompletableFuture<Boolean> drained =
                processor.deadLetterProcessor("copies").processAny();

        assertThat(stepsWithoutDelay(processor)).isZero();

        letters.failing.clear();
        runFor(Duration.ofSeconds(2), processor);
        assertThat(drained).isCompletedWithValue(true);
    }

    private long stepsWithoutDelay(EventProcessor processor) {
        long without = 0;
        for (int step = 0; step < 50; step++) {
            without += processor.step().isZero() ? 1 : 0;
            committer.commitWaiting();
        }
        return without;
    }

    @Test
    void doesNotWakeItselfWhileSegmentIsUnclaimed() {
        EventProcessor processor = fragileBuilder().build();
        park(processor, "a");
        AtomicInteger woken = new AtomicInteger();
        EventProcessorBuilder builder = fragileBuilder();
        ProcessorContext context = builder.context(woken::incrementAndGet);
        ReplayRequests requests = new ReplayRequests(
                context,
                new SegmentClaims(
                        context,
                        "replica",
                        new SegmentRequirements(builder.policy.name()),
                        new ProcessorRegistration(context, builder.retiredIds())),
                builder.openItems(),
                id -> processor.deadLetterQueue("copies"),
                new KeyOrder("service", null));
        CompletableFuture<Boolean> result = new ComponentReplays(context, requests, "test/copier/copies").processAny();
        requests.step();
        woken.set(0);

        for (int step = 0; step < 5; step++) {
            assertThat(requests.step()).isPositive();
        }

        assertThat(woken).hasValue(0);
        assertThat(result).isNotDone();
    }

    @Test
    void canBeStoppedWhileSegmentIsUnclaimed() {
        EventProcessor processor = fragileBuilder().build();
        park(processor, "a");
        CompletableFuture<?> released = processor.release(0);
        run(processor);
        assertThat(released).isCompleted();
        BulkReplay replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        run(processor);
        assertThat(replay.result()).isNotDone();

        replay.stop();
        run(processor);

        assertThat(replay.result()).isCompleted();
        assertThat(replay.progress().status()).isEqualTo(BulkProgress.Status.STOPPED);
    }

    @Test
    void isRejectedWhenTheProcessorIsClosed() {
        EventProcessor processor = fragileBuilder().build();
        park(processor, "a");
        CompletableFuture<Boolean> before =
                processor.deadLetterProcessor("copies").processAny();
        assertThat(processor.drain()).isNotDone();
        processor.release();

        CompletableFuture<Boolean> after =
                processor.deadLetterProcessor("copies").processAny();

        assertThat(before).isCompletedExceptionally();
        assertThat(after).isCompletedExceptionally();
    }

    @Test
    void endsWithFirstFailureBehindEvictedLetters() {
        EventProcessor processor = fragileBuilder().build();
        broken.add("0");
        appendInput("a", IntStream.range(0, 120).mapToObj(Integer::toString).toArray(String[]::new));
        runFor(Duration.ofSeconds(1), processor);
        for (DeadLetter letter : letters("a").subList(1, 110)) {
            processor.deadLetterQueue("copies").evict(letter);
        }
        broken.clear();
        broken.add("110");
        runFor(Duration.ofSeconds(5), processor);
        attempted.clear();

        CompletableFuture<Boolean> drained =
                processor.deadLetterProcessor("copies").processAny();
        runFor(Duration.ofSeconds(5), processor);

        assertThat(drained).isCompletedWithValue(false);
        assertThat(attempted).containsExactly("0", "110");
        assertThat(letters("a").get(0).cause()).isNotNull();

        processor.deadLetterQueue("copies").evict(letters("a").get(0));
        runFor(Duration.ofSeconds(5), processor);
        assertThat(letters("a")).as("letters behind it are handled").isEmpty();
    }

    @Test
    void readsWholePagesToProcessAll() {
        EventProcessor processor = fragileBuilder().build();
        park(processor, IntStream.range(0, 60).mapToObj(i -> "k" + i).toArray(String[]::new));
        letters.calls.clear();

        BulkReplay replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        run(processor);

        assertThat(replay.result()).isCompleted();
        assertThat(replay.progress().drained()).isEqualTo(60);
        assertThat(letters.calls.stream().filter("findByNextAttempt"::equals)).hasSize(1);
    }
}

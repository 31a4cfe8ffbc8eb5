package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.Component;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.Noted;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Known failures of other dead-letter queues, one named test for each. */
public abstract class KnownFailuresKit extends DeadLetterEngineKit {

    private static final Duration BEYOND_THE_LEASE = Duration.ofMinutes(1);

    @Test
    @Lines(38)
    void splitAndMergeKeepOrderWithCacheEnabled() {
        List<String> keys = List.of("a", "b", "c", "d", "e", "f");
        CopyingReplica copier = copier(queue(it -> it.cacheSize(2)));
        park(copier, keys.toArray(String[]::new));

        for (int round = 3; round <= 8; round++) {
            var done = round % 2 == 1
                    ? copier.processor().split(0)
                    : copier.processor().merge(0);
            int number = round;
            keys.forEach(key -> appendInput(key, key + number));
            runUntil(done, copier);
            assertThat(done).isCompleted();
            broken.remove(keys.get(round - 3) + "1");
            var drained = copier.letters().process(matching(keys.get(round - 3)));
            runUntil(drained, copier);
            runFor(Duration.ofSeconds(1), copier);
            assertThat(drained).isCompletedWithValue(true);
        }

        for (String key : keys) {
            assertThat(output(key))
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, 8).mapToObj(n -> key + n).toList());
        }
        assertThat(parked()).isEmpty();
    }

    @Test
    @Lines(5)
    void databaseErrorInHandlerIsParked() {
        ApplicationRows rows = harness().applicationRows();
        CopyingReplica copier =
                newReplica(builder -> builder.calls(RowWritingComponent.component(rows, (event, own) -> {
                    own.write(event.text());
                    if (broken.contains(event.text())) {
                        own.fail();
                    }
                    copy(event, own.context());
                })));
        broken.add("b1");
        appendInput("a", "a1");
        appendInput("b", "b1", "b2");
        appendInput("c", "c1");

        runFor(Duration.ofSeconds(5), copier);

        assertThat(parkedTexts("b")).containsExactly("b1", "b2");
        assertThat(firstLetter("b").attempts()).hasSize(3);
        assertThat(rows.read()).containsExactlyInAnyOrder("a1", "c1");
        assertThat(output()).containsExactlyInAnyOrder("a1", "c1");

        broken.clear();
        assertThat(processAny(copier)).isTrue();
        assertThat(rows.read()).containsExactlyInAnyOrder("a1", "c1", "b1", "b2");
    }

    /** The session is terminated, or a deadlock repeats: the event cannot be rolled back alone. */
    @Test
    @Lines(5)
    void lostTransactionOfHandlerIsParked() {
        ApplicationRows rows = harness().applicationRows();
        CopyingReplica copier =
                newReplica(builder -> builder.calls(RowWritingComponent.component(rows, (event, own) -> {
                    own.write(event.text());
                    if (broken.contains(event.text())) {
                        own.lose();
                    }
                    copy(event, own.context());
                })));
        broken.add("b1");
        appendInput("a", "a1");
        appendInput("b", "b1", "b2");
        appendInput("c", "c1");

        runFor(Duration.ofSeconds(10), copier);

        assertThat(parkedTexts("b")).containsExactly("b1", "b2");
        assertThat(firstLetter("b").attempts()).hasSize(3);
        assertThat(parked("b").state()).isEqualTo(SequenceState.PENDING);
        assertThat(rows.read()).containsExactlyInAnyOrder("a1", "c1");
        assertThat(output()).containsExactlyInAnyOrder("a1", "c1");

        broken.clear();
        assertThat(processAny(copier)).isTrue();
        assertThat(rows.read()).containsExactlyInAnyOrder("a1", "c1", "b1", "b2");
    }

    @Test
    @Lines(18)
    void sequenceOf5000LettersDrainsWithoutRecursion() {
        CopyingReplica copier = copier(queue(it -> it.maxSequenceSize(5_000)));
        String[] texts = new String[5_000];
        Arrays.setAll(texts, number -> "a" + number);
        broken.add("a0");
        appendInput("a", texts);
        rounds(40, copier);
        assertThat(copier.queue().sequenceSize("input/a")).isEqualTo(5_000);
        broken.clear();
        copier.calls().clear();

        CompletableFuture<Boolean> drained = copier.letters().processAny();
        int depth = 0;
        while (!drained.isDone()) {
            rounds(1, copier);
            assertThat(depth++).as("rounds").isLessThan(1_000);
        }

        assertThat(drained).isCompletedWithValue(true);
        assertThat(output("a")).containsExactly(texts);
        assertThat(copier.calls().counts()).containsEntry("findFirstLetters", 50);
    }

    @Test
    @Lines({10, 11})
    void listingRepeatsNoLetterBeyondOnePage() {
        CopyingReplica copier = copier();
        String[] texts = new String[350];
        Arrays.setAll(texts, number -> "a" + number);
        broken.add("a0");
        appendInput("a", texts);
        run(copier);

        List<Long> listed = new ArrayList<>();
        for (Iterable<DeadLetter> sequence : copier.queue().deadLetters()) {
            for (DeadLetter letter : sequence) {
                listed.add(letter.number());
                if (listed.size() == 150) {
                    broken.clear();
                    broken.add("a120");
                    assertThat(processAny(copier)).isFalse();
                }
            }
        }

        assertThat(listed).hasSize(350).doesNotHaveDuplicates().isSorted();
    }

    @Test
    @Lines(17)
    void followUpDoesNotRaceLastEviction() {
        CopyingReplica copier = copier();
        Set<String> ways = new HashSet<>();
        for (int halfSteps = 0; halfSteps < 10; halfSteps++) {
            String key = "h" + halfSteps;
            park(copier, key);
            broken.clear();
            CompletableFuture<Boolean> drained = copier.letters().processAny();
            for (int half = 0; half < halfSteps; half++) {
                if (half % 2 == 0) {
                    copier.step();
                } else {
                    copier.commit();
                }
            }
            ways.add(letters(key).size() + " parked, " + output(key).size() + " handled");

            appendInput(key, key + "3");
            runUntil(drained, copier);
            runFor(Duration.ofSeconds(1), copier);

            assertThat(output(key)).as(key).containsExactly(key + "1", key + "2", key + "3");
            assertThat(parked()).as(key).isEmpty();
            assertThat(drained).as(key).isCompletedWithValue(true);
        }
        assertThat(ways)
                .as("the follow-up arrives before and after the eviction")
                .containsExactlyInAnyOrder("2 parked, 0 handled", "0 parked, 2 handled");
    }

    @Test
    @Lines(38)
    void identifiersKeepTheirMeaningAfterRestart() {
        List<String> keys = List.of("a", "A", "ä", "a/b", "a~1b", "a b", "%61", "Aa", "BB", "x".repeat(100), "😀");
        CopyingReplica before = copier(segments(4));
        for (String key : keys) {
            broken.add(key + "1");
            appendInput(key, key + "1");
        }
        run(before);
        assertThat(parked()).hasSameSizeAs(keys);
        before.processor().release();

        CopyingReplica after = otherCopier(segments(4));
        keys.forEach(key -> appendInput(key, key + "2"));
        run(after);

        for (String key : keys) {
            assertThat(parkedTexts(key)).as(key).containsExactly(key + "1", key + "2");
        }
        broken.clear();
        var all = after.letters().processAll(BulkReplaySettings.UNLIMITED);
        runUntil(all.result(), after);
        for (String key : keys) {
            assertThat(output(key)).as(key).containsExactly(key + "1", key + "2");
        }
    }

    @Test
    @Lines(13)
    void filterSeesMoreThanOldestTenSequences() {
        CopyingReplica copier = copier();
        int count = 600;
        IntStream.range(0, count).forEach(number -> broken.add("k" + number + ":1"));
        appendToKeys(count, "1");
        run(copier);
        harness().passTime(Duration.ofSeconds(1));
        park(copier, "youngest");
        assertThat(parked()).hasSize(count + 1);
        broken.clear();

        CompletableFuture<Boolean> drained = copier.letters().process(matching("youngest"));
        runUntil(drained, copier);

        assertThat(drained).isCompletedWithValue(true);
        assertThat(output()).containsExactly("youngest1", "youngest2");
    }

    @Test
    @Lines(16)
    void claimShorterThanHandlerIsRenewed() {
        CompletableFuture<String> result = new CompletableFuture<>();
        CopyingReplica slow = replicaAwaiting(result);
        CopyingReplica other = otherCopier(builder -> builder);
        park(slow, "a");
        broken.clear();
        CompletableFuture<Boolean> drained = slow.letters().processAny();

        runFor(ProcessorSettings.DEFAULT.lease().multipliedBy(3), slow, other);
        assertThat(attempted).as("only one replica runs it").containsExactly("a1");
        result.complete("at last");
        runFor(Duration.ofSeconds(2), slow, other);

        assertThat(drained).isCompletedWithValue(true);
        assertThat(output()).containsExactly("a1", "a2");
        assertThat(attempted).containsExactly("a1", "a2");
    }

    @Test
    @Lines(16)
    void claimLostWhileHandlerRunsIsFenced() {
        CompletableFuture<String> result = new CompletableFuture<>();
        CopyingReplica frozen = replicaAwaiting(result);
        park(frozen, "a");
        broken.clear();
        CompletableFuture<Boolean> lost = frozen.letters().processAny();
        rounds(2, frozen);
        assertThat(attempted).containsExactly("a1");

        harness().passTime(BEYOND_THE_LEASE);
        CopyingReplica successor = otherCopier(builder -> builder);
        run(successor);
        assertThat(processAny(successor)).isTrue();
        result.complete("too late");
        run(frozen);
        runFor(Duration.ofSeconds(3), frozen, successor);

        assertThat(output()).containsExactly("a1", "a2");
        assertThat(parked()).isEmpty();
        assertThat(lost).isDone();
    }

    /** Returns a replica whose handler waits for the result when it replays a letter. */
    private CopyingReplica replicaAwaiting(CompletableFuture<String> result) {
        return newReplica(builder -> builder.settings(
                        ProcessorSettings.DEFAULT.segments(1).handlerTimeout(Duration.ofHours(1)))
                .calls(Component.named(COPIES)
                        .onAsync(Noted.class, (event, context) -> {
                            copy(event, context);
                            return context.deadLetter().isPresent() ? result : CompletableFuture.completedFuture("");
                        })
                        .build()));
    }

    @Test
    @Lines(3)
    void eventIsNotParkedTwiceAfterLostOutcome() {
        FailingStore losing = new FailingStore(store().commitStore());
        CopyingReplica copier =
                new CopyingReplica(store(), losing, harness().clock(), builder -> builder.calls(copying()));
        run(copier);
        broken.add("a1");
        appendInput("a", "a1", "a2");
        losing.loseOutcomes(1);

        runFor(Duration.ofSeconds(5), copier);

        assertThat(parkedTexts("a")).as("the outcome was lost").containsExactly("a1", "a2");
        assertThat(firstLetter("a").attempts()).hasSize(1);
    }

    @Test
    @Lines(3)
    void eventParkedByOperatorBeforeItIsReadIsNotParkedTwice() {
        CopyingReplica copier = copier();
        park(copier, "a");
        EventMessage next = appendUnread("a3");
        copier.queue().enqueue("input/a", next, new Cause("Restored", "by an operator", ""));

        appendInput("b", "b1");
        runFor(Duration.ofMinutes(1), copier);

        assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3");
        assertThat(output()).as("the segment continues").containsExactly("b1");
        broken.clear();
        assertThat(processAny(copier)).isTrue();
        assertThat(output("a")).containsExactly("a1", "a2", "a3");
    }

    private EventMessage appendUnread(String text) {
        appendInput("a", text);
        List<EventMessage> appended = store().eventLog().readStream(INPUT.stream(), 0, ALL);
        return appended.get(appended.size() - 1);
    }

    @Test
    @Lines(39)
    void partialResetKeepsOlderLetters() {
        CopyingReplica copier = copier();
        park(copier, "a");
        DeadLetter older = firstLetter("a");
        harness().passTime(Duration.ofMinutes(1));
        Instant between = now();
        park(copier, "b");
        appendInput("a", "a3");
        run(copier);
        attempted.clear();

        var reset = copier.processor().reset(StartAt.at(between));
        runUntil(reset, copier);
        runFor(Duration.ofSeconds(3), copier);

        assertThat(reset).isCompleted();
        assertThat(firstLetter("a"))
                .as("a letter below the reset position stays")
                .isEqualTo(older);
        assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3");
        assertThat(parkedTexts("b")).containsExactly("b1", "b2");
        assertThat(attempted).containsExactly("b1");
    }

    @Test
    @Lines({13, 25})
    void ignoreDoesNotStarveOtherSequences() {
        CopyingReplica copier = copier(queue(it -> it.enqueuePolicy((letter, cause) -> Decisions.ignore())));
        park(copier, "a", "b", "c");
        broken.remove("c1");

        for (int i = 0; i < 3; i++) {
            processAny(copier);
            harness().passTime(Duration.ofSeconds(1));
        }

        assertThat(attempted).containsExactly("a1", "b1", "c1", "c2");
        assertThat(output()).containsExactly("c1", "c2");
        assertThat(Objects.requireNonNull(firstLetter("a").cause()).message()).isEqualTo("broken a1");
    }

    private static Predicate<DeadLetter> matching(String key) {
        return letter -> letter.message().key().equals(key);
    }
}

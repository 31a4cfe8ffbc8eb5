package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The engine's cache of parked sequences: no event overtakes a parked one, and the cost stays constant. */
public abstract class DeadLetterCacheKit extends DeadLetterEngineKit {

    private static final Duration BEYOND_THE_LEASE = Duration.ofMinutes(1);
    private static final Cause RESTORED = new Cause("Restored", "by an operator", "");

    private static UnaryOperator<EventProcessorBuilder> cached(int sequences) {
        return queue(it -> it.cacheSize(sequences));
    }

    @Nested
    @Lines(37)
    class CachedLookups {

        @Test
        void needNoQueryForHealthyEvent() {
            CopyingReplica copier = copier(segments(2));
            park(copier, "a", "b");
            copier.calls().clear();

            appendToKeys(20, "1");
            run(copier);
            appendToKeys(20, "2");
            run(copier);

            assertThat(output()).hasSize(40);
            assertThat(copier.calls().counts()).isEmpty();
        }

        @Test
        void needNoQueryForEventBehindParkedOne() {
            CopyingReplica copier = copier();
            park(copier, "a");
            copier.calls().clear();

            appendInput("a", "a3", "a4");
            run(copier);

            assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3", "a4");
            assertThat(copier.calls().counts()).isEmpty();
        }

        @Test
        void needOneQueryPerBatchWithoutCache() {
            assertOneQueryForEachBatch(copier(cached(0)));
        }

        @Test
        void needOneQueryPerBatchWhenCacheOverflows() {
            assertOneQueryForEachBatch(copier(cached(2)));
        }

        private void assertOneQueryForEachBatch(CopyingReplica copier) {
            park(copier, "a", "b", "c", "d");
            copier.calls().clear();

            appendToKeys(30, "1");
            run(copier);
            assertThat(copier.calls().counts()).isEqualTo(Map.of("findSequences", 1));
            appendToKeys(30, "2");
            run(copier);

            assertThat(copier.calls().counts()).isEqualTo(Map.of("findSequences", 2));
            assertThat(output()).hasSize(60);
        }

        @Test
        void parkEventBehindSequenceForAnyCacheSize() {
            for (int size : List.of(0, 1, 3, 100)) {
                String prefix = "s" + size;
                CopyingReplica copier = copier(cached(size));
                park(copier, prefix + "a", prefix + "b", prefix + "c");

                for (String key : List.of("a", "b", "c")) {
                    appendInput(prefix + key, prefix + key + "3");
                }
                run(copier);

                for (String key : List.of(prefix + "a", prefix + "b", prefix + "c")) {
                    assertThat(parkedTexts(key)).containsExactly(key + "1", key + "2", key + "3");
                }
                copier.processor().release();
            }
            assertThat(output()).isEmpty();
        }

        @Test
        void areCompleteAgainOnceSequencesFitIntoCache() {
            CopyingReplica copier = copier(cached(2));
            park(copier, "a", "b", "c");
            broken.clear();
            processAny(copier);
            processAny(copier);
            appendInput("x", "x1");
            run(copier);
            copier.calls().clear();

            appendInput("c", "c3");
            appendInput("y", "y1");
            run(copier);

            assertThat(copier.calls().counts()).isEmpty();
            assertThat(parkedTexts("c")).containsExactly("c1", "c2", "c3");
        }
    }

    @Nested
    @Lines(38)
    class Overtaking {

        @Test
        void isPreventedWhenSegmentIsReleased() {
            CopyingReplica one = copier();
            park(one, "a");
            var released = one.processor().release(0);
            runUntil(released, one);
            appendInput("a", "a3");

            CopyingReplica other = otherCopier(builder -> builder);
            run(other);

            assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3");
            assertThat(attempted).isEmpty();
        }

        @Test
        void isPreventedWhenExpiredSegmentIsReclaimed() {
            CopyingReplica frozen = copier();
            park(frozen, "a");
            appendInput("a", "a3");
            frozen.step(); // it has submitted the unit that parks a3 behind the others

            harness().passTime(BEYOND_THE_LEASE);
            CopyingReplica successor = otherCopier(builder -> builder);
            run(successor);
            broken.clear();
            assertThat(processAny(successor)).isTrue();
            frozen.commit();
            run(frozen, successor);

            assertThat(output("a")).containsExactly("a1", "a2", "a3");
            assertThat(parked()).isEmpty();
        }

        @Test
        void isPreventedForLetterParkedByOperatorAtAnyMoment() {
            CopyingReplica owner = copier();
            run(owner);
            for (int halfSteps = 0; halfSteps < 8; halfSteps++) {
                String key = "h" + halfSteps;
                EventMessage restored = new ParkedLetters(harness().clock(), codec).event("input", key, 1);
                appendInput(key, key + "1");
                alternatingSteps(owner, halfSteps).forEach(Runnable::run);

                boolean wasHandled = !output(key).isEmpty();
                owner.queue().enqueue("input/" + key, restored, RESTORED);
                runFor(Duration.ofSeconds(2), owner);
                appendInput(key, key + "2");
                runFor(Duration.ofSeconds(2), owner);

                List<String> behind = wasHandled ? List.of(key + "2") : List.of(key + "1", key + "2");
                assertThat(parkedTexts(key)).as(key).hasSize(1 + behind.size()).endsWith(behind.toArray(String[]::new));
                assertThat(output(key)).as(key).hasSize(wasHandled ? 1 : 0);
            }
        }

        private List<Runnable> alternatingSteps(CopyingReplica replica, int count) {
            return IntStream.range(0, count)
                    .<Runnable>mapToObj(half -> half % 2 == 0 ? replica::step : replica::commit)
                    .toList();
        }

        @Test
        void isPreventedWhenSegmentsSplitAndMerge() {
            CopyingReplica copier = copier(cached(1));
            park(copier, "a", "b", "c", "d");
            for (int i = 3; i < 6; i++) {
                var done = i % 2 == 1
                        ? copier.processor().split(0)
                        : copier.processor().merge(0);
                runUntil(done, copier);
                assertThat(done).isCompleted();
                for (String key : List.of("a", "b", "c", "d")) {
                    appendInput(key, key + i);
                }
                runFor(Duration.ofSeconds(2), copier);
            }
            assertThat(copier.processor().status().segments())
                    .filteredOn(SegmentStatus::claimed)
                    .hasSize(2);

            assertThat(output()).isEmpty();
            for (String key : List.of("a", "b", "c", "d")) {
                assertThat(parkedTexts(key)).containsExactly(key + "1", key + "2", key + "3", key + "4", key + "5");
            }
        }
    }

    @Nested
    @Lines(40)
    class Costs {

        @Test
        void doNotGrowWithNumberOfParkedLetters() {
            List<String> few = costs("few", 20);
            List<String> many = costs("many", 800);

            assertThat(few).hasSize(2);
            assertThat(many).isEqualTo(few);
        }

        @Test
        void areSharedByManySequencesInBulkReplay() {
            parkOthers("bulk", 800);
            CopyingReplica copier = copier();
            run(copier);
            copier.calls().clear();

            var replay = copier.letters().processAll(BulkReplaySettings.UNLIMITED);
            runUntil(replay.result(), copier);

            assertThat(replay.result().join().drained()).isEqualTo(800);
            assertThat(copier.calls().counts().getOrDefault("findByNextAttempt", 0))
                    .isLessThan(10);
        }

        /** Returns the store calls of each operation while {@code count} other sequences are parked. */
        private List<String> costs(String prefix, int count) {
            parkOthers(prefix, count);
            CopyingReplica copier = copier(queue(it -> it.cacheSize(0).maxSequences(ALL)));
            run(copier);
            List<String> costs = new ArrayList<>();
            copier.calls().clear();
            broken.add(prefix + "1");
            appendInput(prefix, prefix + "1", prefix + "2");
            run(copier);
            costs.add("parking: " + copier.calls().counts() + copier.calls().returnedCount());
            broken.clear();
            copier.calls().clear();
            assertThat(processAny(copier)).isTrue();
            costs.add("any: " + copier.calls().counts() + copier.calls().returnedCount());
            copier.processor().release();
            return costs;
        }

        /** Parks many PENDING sequences that have waited longer than the letters parked later. */
        private void parkOthers(String prefix, int count) {
            ParkedLetters letters = new ParkedLetters(harness().clock(), codec);
            List<Parked> all = IntStream.range(0, count)
                    .mapToObj(number -> letters.parked(
                                    CopyingReplica.PROCESSOR, id(COPIES), "input/" + prefix + number, "input", 1)
                            .with(sequence -> sequence.pending(1, now().minusSeconds(60))))
                    .toList();
            LetterWrites writes = ParkedLetters.parkWrites(all);
            store().deadLetterStore().change(CopyingReplica.PROCESSOR, parked -> writes);
        }
    }
}

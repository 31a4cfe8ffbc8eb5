package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.processing.settings.ProcessorSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Replicas share the segments of a processor. Whichever replicas join or leave, no event is lost, duplicated or out of
 * order.
 */
class SegmentClaimsTests extends ProcessorScenario {

    private static final int KEYS = 40;
    /** Time for replicas to see each other, and to release and claim segments. */
    private static final Duration REBALANCE_TIME = Duration.ofSeconds(6);

    private EventProcessor replica() {
        return segmented(16, copying());
    }

    @Test
    void hasSixteenSegmentsByDefault() {
        EventProcessor processor =
                processor("copier", builder -> builder.settings(ProcessorSettings.DEFAULT), copying());

        run(processor);

        assertThat(claimed(processor)).containsExactlyElementsOf(all(16));
    }

    @Test
    void sharesSegmentsFairly() {
        EventProcessor one = replica();
        EventProcessor two = replica();
        EventProcessor three = replica();
        run(one);
        assertThat(claimed(one)).hasSize(16);

        runFor(REBALANCE_TIME, one, two);
        assertThat(sizes(one, two)).containsExactly(8, 8);
        runFor(REBALANCE_TIME, one, two, three);

        assertThat(sizes(one, two, three)).containsExactlyInAnyOrder(6, 6, 4);
        assertThat(Stream.of(one, two, three)
                        .flatMap(replica -> claimed(replica).stream())
                        .sorted())
                .containsExactlyElementsOf(all(16));
    }

    @Test
    void doesNotMoveFairlySharedSegments() {
        EventProcessor one = replica();
        EventProcessor two = replica();
        EventProcessor three = replica();
        runFor(REBALANCE_TIME, one, two, three);
        runFor(REBALANCE_TIME, one, two, three);
        writes.clear();

        runFor(Duration.ofMinutes(2), one, two, three);

        assertThat(writes).doesNotContainKeys(CommitPoint.TOKEN_CLAIM, CommitPoint.TOKEN_RELEASE);
    }

    @Test
    void replacesCrashedReplicaWhenItsLeaseExpires() {
        EventProcessor one = replica();
        EventProcessor gone = replica();
        runFor(REBALANCE_TIME, one, gone);
        appendToKeys(KEYS);
        gone.step(); // handles events that it never commits

        runFor(Duration.ofSeconds(5), one);
        assertThat(claimed(one)).as("its lease has not expired").hasSize(8);
        runFor(Duration.ofSeconds(6), one);

        assertThat(claimed(one)).hasSize(16);
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void replacesLeavingReplicaWithTheNextRefresh() {
        EventProcessor one = replica();
        EventProcessor leaving = replica();
        runFor(REBALANCE_TIME, one, leaving);
        appendToKeys(KEYS);

        leaving.release();
        runFor(Duration.ofSeconds(1), one);

        assertThat(claimed(one)).hasSize(16);
        assertThat(claimed(leaving)).isEmpty();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void finishesRunningHandlersBeforeReleasingToAJoiningReplica() {
        Map<String, CompletableFuture<Void>> running = new HashMap<>();
        EventProcessor one = segmented(4, asyncComponent(running));
        run(one);
        IntStream.range(0, 4).forEach(segment -> appendInput(keyOf(segment, 4), "text " + segment));
        run(one);
        EventProcessor joining = segmented(4, asyncComponent(running));

        runFor(REBALANCE_TIME, one, joining);
        assertThat(claimed(joining)).as("handlers run in all segments").isEmpty();
        List.copyOf(running.values()).forEach(stage -> stage.complete(null));
        runFor(REBALANCE_TIME, one, joining);

        assertThat(sizes(one, joining)).containsExactly(2, 2);
        assertThat(handled).hasSize(4).doesNotHaveDuplicates();
        assertThat(output()).hasSize(4).doesNotHaveDuplicates();
    }

    private Component asyncComponent(Map<String, CompletableFuture<Void>> running) {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    return running.computeIfAbsent(event.text(), unknown -> new CompletableFuture<>());
                })
                .build();
    }

    @Test
    void keepsOrderWhileReplicasJoinAndLeave() {
        List<EventProcessor> replicas = new ArrayList<>();
        for (int round = 0; round < 30; round++) {
            switch (round % 6) {
                case 0, 1, 3 -> replicas.add(replica());
                case 2 -> replicas.remove(0); // frozen: it has handled events that it cannot commit
                case 4 -> replicas.remove(0).release();
                default -> {}
            }
            appendToKeys(8);
            replicas.forEach(EventProcessor::step);
            appendToKeys(8);
            committer.commitWaiting();
            clock.advance(Duration.ofMillis(1_700));
            replicas.forEach(EventProcessor::step);
        }

        runFor(Duration.ofSeconds(12), replicas.toArray(EventProcessor[]::new));

        assertCopiedOnceAndInOrder(8);
    }

    @Test
    void frozenReplicaResumesIfNoOtherClaimedItsSegments() {
        EventProcessor frozen = replica();
        appendToKeys(KEYS);
        run(frozen);
        appendToKeys(KEYS);
        frozen.step();

        clock.advance(Duration.ofMinutes(10));
        run(frozen);

        assertThat(claimed(frozen)).hasSize(16);
        assertThat(handled).doesNotHaveDuplicates();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void frozenReplicaYieldsSegmentsThatOthersClaimed() {
        EventProcessor frozen = replica();
        run(frozen);
        appendToKeys(KEYS);
        frozen.step();
        clock.advance(Duration.ofSeconds(11));
        EventProcessor other = replica();
        run(other);
        appendToKeys(KEYS);

        run(frozen, other);

        assertThat(claimed(other)).hasSize(16);
        assertThat(claimed(frozen)).isEmpty();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void claimsReleasedSegmentsAgain() {
        EventProcessor processor = replica();
        appendToKeys(KEYS);
        run(processor);
        processor.release();
        appendToKeys(KEYS);

        run(processor);

        assertThat(claimed(processor)).hasSize(16);
        assertThat(handled).doesNotHaveDuplicates();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void doesNotCirculateSegmentsThatOnlyOneReplicaCanClaim() {
        EventProcessor newer = processor(
                "copier",
                builder -> inSegments(4)
                        .apply(builder)
                        .sequencedBy(new SequencingPolicy("by-key/1", event -> event.key())),
                copying());
        run(newer);
        EventProcessor older = segmented(4, copying());
        runFor(Duration.ofSeconds(15), newer, older);
        assertThat(claimed(newer)).as("no other replica claimed them").hasSize(4);
        writes.clear();

        runFor(Duration.ofSeconds(50), newer, older);

        assertThat(writes).doesNotContainKeys(CommitPoint.TOKEN_CLAIM, CommitPoint.TOKEN_RELEASE);
        assertThat(claimed(older)).isEmpty();
    }

    @Test
    void resumesAfterStoreOutage() {
        EventProcessor one = replica();
        EventProcessor two = replica();
        runFor(REBALANCE_TIME, one, two);
        appendToKeys(KEYS);
        one.step();
        two.step();
        for (CommitPoint point : CommitPoint.values()) {
            failingBefore.put(point, new RetryableException("the store is gone"));
        }
        runFor(Duration.ofMinutes(2), one, two);
        assertThat(one.status().problems())
                .anySatisfy(problem -> assertThat(problem).contains("the store is gone"));

        failingBefore.clear();
        runFor(Duration.ofSeconds(45), one, two);

        assertThat(sizes(one, two)).containsExactly(8, 8);
        assertThat(one.status().problems()).isEmpty();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void repeatsClaimWhoseOutcomeWasLost() {
        EventProcessor processor = segmented(1, copying());
        appendInput("a", "1");
        failingAfter.put(CommitPoint.TOKEN_CLAIM, new RetryableException("the answer is lost"));
        run(processor);
        assertThat(claimed(processor)).isEmpty();

        failingAfter.clear();
        runFor(Duration.ofSeconds(1), processor);

        assertThat(output()).containsExactly("1");
    }

    private static List<Integer> sizes(EventProcessor... replicas) {
        return Stream.of(replicas).map(replica -> claimed(replica).size()).toList();
    }

    private static List<Integer> all(int segments) {
        return IntStream.range(0, segments).boxed().toList();
    }
}

package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.restoredTo;
import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes of segments under crashes and by concurrent replicas. */
public abstract class SegmentCrashKit extends SegmentsScenario {

    @Nested
    class Crashing {

        private final Map<String, StreamPosition> resetPositions = Map.of("notes", at(1), "lists", at(1));

        @Test
        void initializesAllSegmentsOrNone() {
            Crash.before(CommitPoint.TOKEN_INITIALIZE, harness(), () -> initialized(5));
            assertThat(all()).isEmpty();

            Crash.after(CommitPoint.TOKEN_INITIALIZE, harness(), () -> initialized(5));
            assertThat(all()).hasSize(5);
            assertThat(initialized(9)).hasSize(5);
        }

        @Test
        void setsUpCompletelyOrNotAtAll() {
            initialized(2);
            TokenClaim claim = claimed(0);

            assertAllOrNothing(CommitPoint.TOKEN_SET_UP, () -> tokens().setUp(claim, 0, "by-key@2", COMPONENTS));

            assertThat(found(0).setup().components()).isEqualTo(COMPONENTS);
        }

        @Test
        void splitsCompletelyOrNotAtAll() {
            initialized(2);
            TokenClaim claim = claimed(0);

            assertAllOrNothing(CommitPoint.TOKEN_SPLIT, () -> tokens().split(claim, 0));

            assertThat(all()).hasSize(3);
        }

        @Test
        void mergesCompletelyOrNotAtAll() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            assertAllOrNothing(CommitPoint.TOKEN_MERGE, () -> tokens().merge(one, 0, other, 0));

            assertThat(all()).hasSize(1);
        }

        @Test
        void pausesAllSegmentsOrNone() {
            initialized(3);

            assertAllOrNothing(CommitPoint.TOKEN_PAUSE, () -> tokens().setPaused(CONSUMER, true));

            assertThat(all())
                    .allSatisfy(token -> assertThat(token.setup().paused()).isTrue());
        }

        @Test
        void resetsCompletelyOrNotAtAll() {
            initialized(3);
            park(claimed(0), List.of(parked("a", "notes", 1, 2), parked("b", "notes", 3)));

            assertAllOrNothing(CommitPoint.TOKEN_RESET, () -> tokens().reset(CONSUMER, 1, resetPositions));

            assertThat(all()).allSatisfy(token -> assertThat(token.positions()).isEqualTo(resetPositions));
            assertThat(StoredSequences.findAll(store().deadLetterStore(), CONSUMER))
                    .hasSize(1);
        }

        @Test
        void acceptsRestoreCompletelyOrNotAtAll() {
            initialized(3);

            assertAllOrNothing(CommitPoint.TOKEN_RESTORE, () -> tokens().acceptRestore(
                            CONSUMER, "notes", Set.of(START.get("notes")), restoredTo(1)));

            assertThat(all()).allSatisfy(token -> assertThat(token.positions()).containsEntry("notes", restoredTo(1)));
        }

        @Test
        void changesPolicyInAllSegmentsOrNone() {
            initialized(3);

            assertAllOrNothing(
                    CommitPoint.TOKEN_CHANGE_POLICY, () -> tokens().changePolicy(CONSUMER, "one", "by-saga@1"));

            assertThat(all())
                    .allSatisfy(token -> assertThat(token.setup().policy()).isEqualTo("by-saga@1"));
        }

        private void assertAllOrNothing(CommitPoint point, Runnable work) {
            List<Object> before = storedState();

            Crash.before(point, harness(), work);
            assertThat(storedState()).as("before %s", point).isEqualTo(before);

            Crash.after(point, harness(), work);
            assertThat(storedState()).as("after %s", point).isNotEqualTo(before);
            assertCoverEveryHashOnce(all());
            initialized(1); // no lock is left behind
        }
    }

    @Nested
    class ConcurrentReplicas {

        private static final int WORKERS = 4;
        private static final int STEPS = 40;

        @Test
        void coverEveryHashOnceAtAnyMoment() {
            initialized(4);
            TokenStore otherReplica = replica().tokenStore();
            AtomicBoolean isFinished = new AtomicBoolean();
            try (TestThreads threads = new TestThreads()) {
                Future<Boolean> reader = threads.run(() -> {
                    do {
                        assertCoverEveryHashOnce(all());
                    } while (!isFinished.get());
                });
                try {
                    TestThreads.race(WORKERS, worker -> {
                        SplittableRandom random = new SplittableRandom(worker);
                        TokenStore store = worker % 2 == 0 ? tokens() : otherReplica;
                        for (int step = 0; step < STEPS; step++) {
                            step(store, "worker-" + worker, random);
                        }
                        return worker;
                    });
                } finally {
                    isFinished.set(true);
                }
                TestThreads.result(reader);
            }

            assertCoverEveryHashOnce(all());
        }

        @Test
        void applyOnlyOneOfManySplitsFromSameVersion() {
            TokenStore otherReplica = replica().tokenStore();
            for (int round = 0; round < 10; round++) {
                String consumer = "consumer-" + round;
                Segment segment = tokens().initialize(consumer, 1, START).get(0).segment();
                TokenClaim claim = tokens().claim(segment, "one", LEASE).orElseThrow();

                List<Optional<Segment>> splits = TestThreads.race(
                        WORKERS, worker -> (worker % 2 == 0 ? tokens() : otherReplica).split(claim, 0));

                assertThat(splits.stream().flatMap(Optional::stream)).hasSize(1);
                assertThat(tokens().findAll(consumer)).hasSize(2);
            }
        }

        @Test
        void applyEitherSplitOrMerge() {
            TokenStore otherReplica = replica().tokenStore();
            for (int round = 0; round < 10; round++) {
                String consumer = "consumer-" + round;
                tokens().initialize(consumer, 2, START);
                TokenClaim one =
                        tokens().claim(new Segment(consumer, 0), "one", LEASE).orElseThrow();
                TokenClaim other =
                        tokens().claim(new Segment(consumer, 1), "one", LEASE).orElseThrow();

                List<Boolean> results = TestThreads.race(
                        2,
                        worker -> worker == 0
                                ? tokens().split(other, 0).isPresent()
                                : otherReplica.merge(one, 0, other, 0));

                assertThat(results).containsOnlyOnce(true);
                assertCoverEveryHashOnce(tokens().findAll(consumer).stream()
                        .map(ClaimedToken::token)
                        .toList());
            }
        }

        private void step(TokenStore store, String owner, SplittableRandom random) {
            List<Token> all =
                    store.findAll(CONSUMER).stream().map(ClaimedToken::token).toList();
            Token token = all.get(random.nextInt(all.size()));
            int number = token.segment().number();
            int mask = token.setup().mask();
            switch (random.nextInt(8)) {
                case 0 -> store.reset(CONSUMER, token.setup().generation(), START);
                case 1 -> store.claim(token.segment(), owner, Duration.ZERO);
                case 2, 3, 4 ->
                    claim(store, token.segment(), owner).ifPresent(claim -> {
                        if (all.size() < 16) {
                            store.split(claim, token.version());
                        }
                        store.release(claim);
                    });
                default -> mergeWithSibling(store, token, new Segment(CONSUMER, Segments.sibling(number, mask)), owner);
            }
        }

        private void mergeWithSibling(TokenStore store, Token token, Segment sibling, String owner) {
            Optional<TokenClaim> one = claim(store, token.segment(), owner);
            Optional<TokenClaim> other = claim(store, sibling, owner);
            if (one.isPresent() && other.isPresent()) {
                Optional<Token> now = store.find(token.segment());
                Optional<Token> then = store.find(sibling);
                if (now.isPresent() && then.isPresent()) {
                    store.merge(
                            one.get(),
                            now.get().version(),
                            other.get(),
                            then.get().version());
                }
            }
            one.ifPresent(store::release);
            other.ifPresent(store::release);
        }

        private Optional<TokenClaim> claim(TokenStore store, Segment segment, String owner) {
            return store.claim(segment, owner, LEASE);
        }
    }
}

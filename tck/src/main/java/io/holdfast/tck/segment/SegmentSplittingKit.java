package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.commit.CommitSession;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** One segment becomes two. Every event, mark and letter has exactly one owner before and after. */
public abstract class SegmentSplittingKit extends SegmentsScenario {

    @Nested
    class Splitting {

        @Test
        void movesHalfOfHashesToNewSegment() {
            initialized(1);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);
            advance(claim, Map.of("notes", at(6)), MARKS);
            Token before = found(0);

            Optional<Segment> split = tokens().split(claim, before.version());

            assertThat(split).contains(segment(1));
            SegmentSetup half = before.setup().withMask(1);
            assertThat(found(0)).isEqualTo(new Token(segment(0), version(0), before.positions(), MARKS, half));
            assertThat(version(0)).isGreaterThan(before.version());
            assertThat(found(1).positions()).isEqualTo(before.positions());
            assertThat(found(1).marks()).isEqualTo(MARKS);
            assertThat(found(1).setup()).isEqualTo(half);
            assertCoverEveryHashOnce(all());
        }

        @Test
        void keepsClaimAndLeavesNewSegmentUnclaimed() {
            initialized(1);
            TokenClaim claim = claimed(0);

            Segment split = tokens().split(claim, 0).orElseThrow();

            assertThat(tokens().findAll(CONSUMER))
                    .extracting(ClaimedToken::owner)
                    .containsExactly("one", null);
            advance(claim, Map.of("notes", at(5)), Set.of());
            TokenClaim other = tokens().claim(split, "two", LEASE).orElseThrow();
            advance(other, Map.of("notes", at(9)), Set.of());
            assertThat(found(0).positions()).containsEntry("notes", at(5));
            assertThat(found(1).positions()).containsEntry("notes", at(9));
        }

        @Test
        void invalidatesUnitsOfWholeSegment() {
            initialized(1);
            TokenClaim claim = claimed(0);

            tokens().split(claim, 0);

            assertStale(claim, 0);
        }

        @Test
        void coversEveryHashOnceAfterAnyNumberOfSplits() {
            initialized(3);
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < 20; i++) {
                List<Token> all = all();
                Token token = all.get(random.nextInt(all.size()));
                split(claimed(token.segment().number()));

                assertThat(all()).hasSize(all.size() + 1);
                assertCoverEveryHashOnce(all());
            }
        }

        @Test
        void keepsEveryLetterInOneSegment() {
            initialized(1);
            TokenClaim claim = claimed(0);
            List<Parked> parked = manyParked();
            park(claim, parked);

            split(claim);
            assertEveryLetterHasOneOwner(parked);

            TokenClaim other = claimed(1);
            split(other);
            assertEveryLetterHasOneOwner(parked);
            assertThat(StoredSequences.findBySegment(store().deadLetterStore(), CONSUMER, 3, 3))
                    .isNotEmpty();
        }

        @Test
        void rejectsStaleOrReleasedClaim() {
            initialized(1);
            TokenClaim stale = claimed(0);
            TokenClaim newest = claimed(0);

            assertNotSplit(stale, 0);

            tokens().release(newest);
            assertNotSplit(newest, 0);
        }

        @Test
        void rejectsOtherOwnerWithCurrentFencingToken() {
            initialized(1);
            TokenClaim claim = claimed(0);

            assertNotSplit(new TokenClaim(claim.segment(), "two", claim.fence()), 0);
        }

        @Test
        void rejectsWrongTokenVersion() {
            initialized(1);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of(), Set.of());

            assertNotSplit(claim, 0);
            assertNotSplit(claim, 2);
        }

        @Test
        void rejectsMissingSegment() {
            assertNotSplit(new TokenClaim(segment(0), "one", 1), 0);
        }

        @Test
        void succeedsAfterExpiryUnlessReclaimed() {
            initialized(1);
            TokenClaim claim = claimed(0);
            harness().passTime(LEASE.multipliedBy(2));

            assertThat(tokens().split(claim, 0)).isPresent();
        }

        @Test
        void excludesCommitFromSameVersion() {
            initialized(2);
            TokenClaim claim = claimed(1); // a store may use the row of segment 0 as a lock for all

            boolean committed;
            Future<Optional<Segment>> split;
            try (TestThreads threads = new TestThreads();
                    CommitSession session = store().commitStore().open()) {
                session.lockHead();
                assertThat(session.write(List.of(token(TokenAdvances.next(claim, 0, Map.of("notes", at(5)))))))
                        .isEmpty();
                split = threads.start(() -> tokens().split(claim, 0));
                TestThreads.completesSoon(split); // it completes now, or waits for the commit
                committed = commits(session);
            }

            assertThat(TestThreads.result(split).isPresent()).isNotEqualTo(committed);
            assertThat(all()).hasSize(committed ? 2 : 3);
        }

        private boolean commits(CommitSession session) {
            try {
                session.commit();
                return true;
            } catch (HoldfastException e) {
                return false;
            }
        }

        private void assertNotSplit(TokenClaim claim, long version) {
            List<Object> before = storedState();

            assertThat(tokens().split(claim, version)).isEmpty();

            assertThat(storedState()).isEqualTo(before);
        }
    }
}

package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.TokenClaim;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Two segments at the same position become one. */
public abstract class SegmentMergingKit extends SegmentsScenario {

    @Nested
    class Merging {

        @Test
        void joinsSiblingsUnderClaimOfLowerSegment() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1, "two");

            assertThat(tokens().merge(one, 0, other, 0)).isTrue();

            assertThat(all()).singleElement().satisfies(token -> {
                assertThat(token.segment()).isEqualTo(segment(0));
                assertThat(token.positions()).isEqualTo(START);
                assertThat(token.setup()).isEqualTo(SegmentSetup.WHOLE.startedAt(START));
            });
            advance(one, Map.of("notes", at(5)), Set.of());
            assertCoverEveryHashOnce(all());
        }

        @Test
        void acceptsSegmentsInAnyOrder() {
            initialized(4);
            TokenClaim lower = claimed(1);
            TokenClaim upper = claimed(3);
            tokens().setUp(upper, 0, "by-key@2", COMPONENTS);
            tokens().setUp(lower, 0, "by-key@2", COMPONENTS);

            assertThat(tokens().merge(upper, version(3), lower, version(1))).isTrue();

            assertThat(all()).extracting(token -> token.segment().number()).containsExactly(0, 1, 2);
            assertThat(found(1).setup())
                    .isEqualTo(SegmentSetup.ofMask(1)
                            .startedAt(START)
                            .withPolicy("by-key@2")
                            .withComponents(COMPONENTS));
            assertCoverEveryHashOnce(all());
        }

        @Test
        void removesUpperSegment() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            tokens().merge(one, 0, other, 0);

            assertThat(tokens().find(segment(1))).isEmpty();
            assertThat(tokens().claim(segment(1), "two", LEASE)).isEmpty();
            assertThat(tokens().renew(List.of(one, other), LEASE)).containsExactly(one);
            tokens().release(other);
            assertStale(other, 0);
        }

        @Test
        void invalidatesUnitsOfEarlierVersions() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            for (int i = 0; i < 3; i++) {
                advance(other, Map.of(), Set.of());
            }

            assertThat(tokens().merge(one, 0, other, 3)).isTrue();

            assertThat(version(0)).isGreaterThan(3);
            assertStale(one, 0);
        }

        @Test
        void invalidatesUnitsOfEarlierIncarnationAfterSplit() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            for (int i = 0; i < 3; i++) {
                advance(other, Map.of(), Set.of());
            }
            tokens().merge(one, 0, other, 3);

            split(one);

            claimed(1); // by the same owner, possibly with the same fencing token
            for (long version = 0; version <= 3; version++) {
                assertStale(other, version);
            }
        }

        @Test
        void keepsEveryLetterInOneSegment() {
            initialized(4);
            List<Parked> parked = manyParked();
            park(claimed(0), parked);

            assertThat(tokens().merge(claimed(1), 0, claimed(3), 0)).isTrue();
            assertEveryLetterHasOneOwner(parked);
        }

        @Test
        void rejectsStaleOrReleasedClaim() {
            initialized(2);
            TokenClaim staleOne = claimed(0);
            TokenClaim staleOther = claimed(1);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            assertNotMerged(staleOne, other);
            assertNotMerged(one, staleOther);

            tokens().release(other);
            assertNotMerged(one, other);
            assertNotMerged(other, one);
        }

        @Test
        void rejectsWrongTokenVersion() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            List<Object> before = storedState();

            assertThat(tokens().merge(one, 1, other, 0)).isFalse();
            assertThat(tokens().merge(one, 0, other, 1)).isFalse();

            assertThat(storedState()).isEqualTo(before);
        }

        @Test
        void rejectsSegmentsThatAreNotSiblings() {
            initialized(4);

            assertNotMerged(claimed(0), claimed(1));
            assertNotMerged(claimed(0), claimed(3));
            assertThat(tokens().merge(claimed(0), 0, claimed(2), 0)).isTrue();
        }

        @Test
        void rejectsSegmentsOfDifferentSize() {
            initialized(3); // 0 and 2 are quarters, 1 is a half

            assertNotMerged(claimed(0), claimed(1));
            assertNotMerged(claimed(2), claimed(1));
        }

        @Test
        void rejectsSegmentWithItself() {
            initialized(1);
            TokenClaim claim = claimed(0);

            assertNotMerged(claim, claim);
        }

        @Test
        void rejectsSegmentsOfTwoConsumers() {
            initialized(2);
            tokens().initialize("shipping", 2, START);
            TokenClaim foreign =
                    tokens().claim(new Segment("shipping", 1), "one", LEASE).orElseThrow();

            assertNotMerged(claimed(0), foreign);
            assertThat(tokens().findAll("shipping")).hasSize(2);
        }

        @Test
        void rejectsSegmentsWithMarks() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            advance(one, Map.of(), MARKS);
            assertNotMerged(one, other);

            advance(one, Map.of(), Set.of());
            advance(other, Map.of(), MARKS);
            assertNotMerged(one, other);

            advance(one, Map.of(), MARKS);
            assertNotMerged(one, other);
        }

        @Test
        void rejectsSegmentsAtDifferentPositions() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            advance(one, Map.of("notes", at(5)), Set.of());

            assertNotMerged(one, other);

            advance(other, Map.of("notes", at(5)), Set.of());
            assertThat(tokens().merge(one, 1, other, 1)).isTrue();
            assertThat(found(0).positions()).containsEntry("notes", at(5));
        }

        @Test
        void keepsLaterStartOfEachComponent() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            tokens().setUp(one, 0, "by-key@2", Map.of(COMPONENT, Map.of("notes", at(3), "lists", at(4))));
            tokens().setUp(other, 0, "by-key@2", Map.of(COMPONENT, Map.of("notes", at(5), "lists", at(2))));

            assertThat(tokens().merge(one, version(0), other, version(1))).isTrue();

            assertThat(found(0).setup().components())
                    .isEqualTo(Map.of(COMPONENT, Map.of("notes", at(5), "lists", at(4))));
        }

        @Test
        void rejectsSegmentsWithDifferentSetups() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            tokens().setUp(one, 0, "by-key@2", COMPONENTS);

            assertNotMerged(one, other);
            tokens().setUp(other, 0, "by-key@3", COMPONENTS);
            assertNotMerged(one, other);
            tokens().setUp(other, version(1), "by-key@2", Map.of(COMPONENT, START));
            assertNotMerged(one, other);

            tokens().setUp(other, version(1), "by-key@2", COMPONENTS);
            assertThat(tokens().merge(one, version(0), other, version(1))).isTrue();
        }

        @Test
        void rejectsMissingSegment() {
            initialized(1);
            TokenClaim claim = claimed(0);
            List<Object> before = storedState();

            assertThat(tokens().merge(claim, 0, new TokenClaim(segment(1), "one", 1), 0))
                    .isFalse();

            assertThat(storedState()).isEqualTo(before);
        }

        /** Merges from the current versions of both tokens. */
        private void assertNotMerged(TokenClaim one, TokenClaim other) {
            List<Object> before = storedState();
            long oneVersion = tokens().find(one.segment()).orElseThrow().version();
            long otherVersion = tokens().find(other.segment()).orElseThrow().version();

            assertThat(tokens().merge(one, oneVersion, other, otherVersion)).isFalse();

            assertThat(storedState()).isEqualTo(before);
        }
    }
}

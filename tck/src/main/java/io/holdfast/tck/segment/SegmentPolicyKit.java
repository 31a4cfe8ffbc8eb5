package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Settings of a consumer that apply to all its replicas: whether it is paused, and its sequencing policy. */
public abstract class SegmentPolicyKit extends SegmentsScenario {

    @Nested
    class Pausing {

        @Test
        void appliesToAllSegments() {
            initialized(3);

            tokens().setPaused(CONSUMER, true);

            assertThat(all()).hasSize(3).allSatisfy(token -> {
                assertThat(token.version()).isZero();
                assertThat(token.positions()).isEqualTo(START);
                assertThat(token.setup())
                        .isEqualTo(SegmentSetup.ofMask(token.setup().mask())
                                .startedAt(START)
                                .withPaused(true));
            });
        }

        @Test
        void endsOnResume() {
            initialized(3);
            tokens().setPaused(CONSUMER, true);

            tokens().setPaused(CONSUMER, false);

            assertThat(all()).allSatisfy(token -> {
                assertThat(token.setup().paused()).isFalse();
                assertThat(token.version()).isZero();
            });
        }

        @Test
        void allowsRunningUnitToCommit() {
            initialized(2);
            TokenClaim claim = claimed(0);

            tokens().setPaused(CONSUMER, true);

            assertThat(tokens().claim(segment(0), "two", LEASE)).isEmpty();
            advance(claim, Map.of("notes", at(5)), Set.of());
            assertThat(found(0).setup().paused())
                    .as("an advance does not resume it")
                    .isTrue();
            assertThat(found(0).positions()).containsEntry("notes", at(5));
        }

        @Test
        void isInheritedBySplitSegment() {
            initialized(1);
            tokens().setPaused(CONSUMER, true);

            split(claimed(0));

            assertThat(all())
                    .hasSize(2)
                    .allSatisfy(token -> assertThat(token.setup().paused()).isTrue());
        }

        @Test
        void doesNotAffectOtherConsumers() {
            List<Token> before = initialized(2);

            tokens().setPaused("shipping", true);

            assertThat(all()).isEqualTo(before);
            assertThat(tokens().findAll("shipping")).isEmpty();
        }
    }

    @Nested
    class ChangingPolicy {

        @Test
        void isStoredInAllSegments() {
            initialized(2);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@1", COMPONENTS);
            Token before = found(0);

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            Token expected = before.withSetup(before.setup().withPolicy("by-saga@1"));
            assertThat(found(0))
                    .usingRecursiveComparison()
                    .ignoringFields("version")
                    .isEqualTo(expected);
            assertThat(found(0).version()).isGreaterThan(before.version());
            assertThat(found(1).setup().policy()).isEqualTo("by-saga@1");
            assertThat(found(1).version()).isPositive();
        }

        @Test
        void keepsOwnClaimsAndInvalidatesUnitsOfEarlierVersion() {
            initialized(2);
            TokenClaim claim = claimed(0);

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            assertStale(claim, 0);
            advance(claim, Map.of("notes", at(5)), Set.of());
        }

        @Test
        void isRejectedWhileSegmentsAreAtDifferentPositions() {
            initialized(2);
            advance(claimed(0), Map.of("notes", at(5)), Set.of());

            assertNotChanged();

            advance(claimed(1), Map.of("notes", at(5)), Set.of());
            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();
        }

        @Test
        void isRejectedWhileSegmentHasMarks() {
            initialized(2);
            advance(claimed(1), Map.of(), MARKS);

            assertNotChanged();
        }

        @Test
        void isRejectedWhileLetterIsParked() {
            initialized(2);
            park(claimed(1), List.of(parked("a", "notes", 1)));

            assertNotChanged();
        }

        @Test
        void isRejectedWhileAnotherReplicaOwnsSegment() {
            initialized(2);
            TokenClaim claim = claimed(1, "two");

            assertNotChanged();

            tokens().release(claim);
            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();
        }

        @Test
        void isAllowedOnceLeaseOfAnotherReplicaHasExpired() {
            initialized(2);
            TokenClaim expired = claimed(1, "two");
            harness().passTime(LEASE);

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            assertStale(expired, 0);
        }

        @Test
        void ignoresOtherConsumers() {
            initialized(2);
            List<Token> other = tokens().initialize("shipping", 2, Map.of("notes", at(7)));
            tokens().claim(new Segment("shipping", 0), "two", LEASE);
            park(claimed(0), List.of(fixture().parked("shipping", "kit/shipping/parcels", "a", "notes", 1)));

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            assertThat(tokens().findAll("shipping"))
                    .extracting(ClaimedToken::token)
                    .isEqualTo(other);
        }

        private void assertNotChanged() {
            List<Object> before = storedState();

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isFalse();

            assertThat(storedState()).isEqualTo(before);
        }
    }
}

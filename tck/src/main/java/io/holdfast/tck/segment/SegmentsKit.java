package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.mark;
import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Mark;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link TokenStore} for consumers with many segments: their hash ranges, their owners, and the live
 * replicas.
 */
public abstract class SegmentsKit extends SegmentsScenario {

    @Nested
    class Initializing {

        @Test
        void coversEveryHashOnceForAnyCount() {
            for (int count = 1; count <= 17; count++) {
                String consumer = "consumer-" + count;

                List<Token> tokens = tokens().initialize(consumer, count, START);

                assertThat(tokens).hasSize(count).isEqualTo(sorted(tokens));
                assertCoverEveryHashOnce(tokens);
                assertThat(tokens)
                        .extracting(token -> token.segment().number(), token -> token.setup()
                                .mask())
                        .isEqualTo(Segments.of(count).entrySet().stream()
                                .map(segment -> tuple(segment.getKey(), segment.getValue()))
                                .toList());
                assertThat(tokens().findAll(consumer))
                        .extracting(ClaimedToken::token)
                        .isEqualTo(tokens);
            }
        }

        @Test
        void startsUnclaimedAtVersionZero() {
            initialized(3);

            assertThat(tokens().findAll(CONSUMER)).allSatisfy(claimedToken -> {
                assertThat(claimedToken.owner()).isNull();
                assertThat(claimedToken.token())
                        .isEqualTo(Token.starting(
                                claimedToken.token().segment(),
                                claimedToken.token().setup().mask(),
                                START));
                assertThat(claimedToken.token().setup().starts()).isEqualTo(Map.of(1, START));
                assertThat(tokens().find(claimedToken.token().segment())).contains(claimedToken.token());
            });
        }

        @Test
        void keepsExistingSegments() {
            List<Token> first = initialized(3);

            assertThat(initialized(8)).isEqualTo(first);
            assertThat(initialized(1)).isEqualTo(first);
            assertThat(all()).isEqualTo(first);
        }

        @Test
        void addsOnlyMissingStreamsToAllSegments() {
            initialized(3);
            TokenClaim claim = claimed(1);
            advance(claim, Map.of("notes", at(6)), MARKS);
            List<ClaimedToken> before = tokens().findAll(CONSUMER);

            List<Token> after = tokens().initialize(CONSUMER, 3, Map.of("notes", at(1), "more", at(5)));

            assertThat(after)
                    .isEqualTo(before.stream()
                            .map(claimedToken -> claimedToken
                                    .withMissing(Map.of("more", at(5)))
                                    .token())
                            .toList());
            assertThat(after.get(1).version()).isEqualTo(1);
            assertThat(after.get(1).positions()).containsEntry("notes", at(6)).containsEntry("more", at(5));
            assertThat(after.get(1).setup().findStart(1, "notes")).contains(START.get("notes"));
            assertThat(after.get(1).setup().findStart(1, "more")).contains(at(5));
            assertThat(all()).isEqualTo(after);
            advance(claim, Map.of("more", at(8)), Set.of());
        }

        @Test
        void keepsSplitSegments() {
            initialized(2);
            split(claimed(0));
            List<Token> split = all();

            assertThat(initialized(2)).isEqualTo(split);
        }

        @Test
        void separatesConsumers() {
            initialized(2);

            List<Token> other = tokens().initialize("Billing", 4, Map.of("more", at(1)));

            assertThat(other).hasSize(4);
            assertThat(all()).hasSize(2).allSatisfy(token -> assertThat(token.positions())
                    .isEqualTo(START));
        }

        @Test
        void happensOnceForConcurrentCallers() {
            TokenStore otherReplica = replica().tokenStore();
            for (int round = 0; round < 20; round++) {
                String consumer = "consumer-" + round;

                List<List<Token>> results = TestThreads.race(4, worker -> (worker % 2 == 0 ? tokens() : otherReplica)
                        .initialize(consumer, worker + 2, START));

                assertThat(results)
                        .containsOnly(tokens().findAll(consumer).stream()
                                .map(ClaimedToken::token)
                                .toList());
                assertCoverEveryHashOnce(results.get(0));
            }
        }
    }

    @Nested
    class Marking {

        @Test
        void storesMarksAbovePosition() {
            initialized(2);
            TokenClaim claim = claimed(0);

            advance(claim, Map.of("notes", at(5)), MARKS);

            assertThat(found(0).marks()).isEqualTo(MARKS);
            assertThat(all().get(0)).isEqualTo(found(0));
            assertThat(found(1).marks()).isEmpty();
        }

        @Test
        void replacesEarlierMarks() {
            initialized(1);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of(), MARKS);
            Set<Mark> other = Set.of(mark("notes", 8, COMPONENT));

            advance(claim, Map.of(), other);
            assertThat(found(0).marks()).isEqualTo(other);

            advance(claim, Map.of("notes", at(9)), Set.of());
            assertThat(found(0).marks()).isEmpty();
        }

        @Test
        void storesAsManyMarksAsProcessorRunsAhead() {
            Set<Mark> many = LongStream.rangeClosed(1, 3_000)
                    .mapToObj(position -> mark("notes", 1L << 40 | position, "kit/billing/c-" + position % 3))
                    .collect(Collectors.toSet());
            initialized(1);

            advance(claimed(0), Map.of(), many);

            assertThat(found(0).marks()).isEqualTo(many);
        }
    }

    @Nested
    class RenewingReplicas {

        private static Set<String> renew(TokenStore tokens, String consumer, String replica) {
            return tokens.renewReplica(consumer, replica, LEASE, ProcessorDefinition.EMPTY)
                    .keySet();
        }

        @Test
        void returnsAllLiveReplicas() {
            assertThat(renew(tokens(), CONSUMER, "one")).containsExactly("one");
            assertThat(renew(tokens(), CONSUMER, "two")).containsExactlyInAnyOrder("one", "two");
            assertThat(renew(tokens(), CONSUMER, "one")).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void isVisibleToOtherReplicas() {
            renew(tokens(), CONSUMER, "one");

            assertThat(renew(replica().tokenStore(), CONSUMER, "two")).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void separatesConsumers() {
            renew(tokens(), CONSUMER, "one");

            assertThat(renew(tokens(), "shipping", "two")).containsExactly("two");
        }

        @Test
        void expiresWithLease() {
            renew(tokens(), CONSUMER, "one");
            harness().passTime(LEASE.dividedBy(2));
            assertThat(renew(tokens(), CONSUMER, "two")).containsExactlyInAnyOrder("one", "two");

            harness().passTime(LEASE.dividedBy(2));

            assertThat(renew(tokens(), CONSUMER, "two")).containsExactly("two");
        }

        @Test
        void extendsLeaseFromNow() {
            renew(tokens(), CONSUMER, "one");
            harness().passTime(LEASE.dividedBy(2));
            renew(tokens(), CONSUMER, "one");

            harness().passTime(LEASE.dividedBy(2));

            assertThat(renew(tokens(), CONSUMER, "two")).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void expiresAfterTheClockOfTheStoreWasSetBack() {
            renew(tokens(), CONSUMER, "dead");

            harness().setStoreClock(Duration.ofHours(-1));

            harness().passTime(LEASE.multipliedBy(2));
            assertThat(renew(tokens(), CONSUMER, "two")).containsExactly("two");
        }

        @Test
        void endsOnRelease() {
            renew(tokens(), CONSUMER, "one");
            renew(tokens(), CONSUMER, "two");
            renew(tokens(), "shipping", "one");

            tokens().releaseReplica(CONSUMER, "one");
            tokens().releaseReplica(CONSUMER, "unknown");
            tokens().releaseReplica("nothing", "one");

            assertThat(renew(tokens(), CONSUMER, "two")).containsExactly("two");
            assertThat(renew(tokens(), "shipping", "two")).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void losesNoneOfManyConcurrentReplicas() {
            TokenStore otherReplica = replica().tokenStore();
            TestThreads.race(
                    8, worker -> renew(worker % 2 == 0 ? tokens() : otherReplica, CONSUMER, "replica-" + worker));

            assertThat(renew(tokens(), CONSUMER, "replica-0")).hasSize(8);
        }

        @Test
        void needsNoSegmentAndChangesNone() {
            List<Token> before = initialized(2);

            renew(tokens(), CONSUMER, "one");

            assertThat(all()).isEqualTo(before);
        }

        @Test
        void registersNothingAfterCrashBeforeWrite() {
            Crash.before(CommitPoint.TOKEN_RENEW_REPLICA, harness(), () -> renew(tokens(), CONSUMER, "one"));

            assertThat(renew(tokens(), CONSUMER, "two")).containsExactly("two");
        }

        @Test
        void registersUntilLeaseExpiresAfterCrashAfterWrite() {
            Crash.after(CommitPoint.TOKEN_RENEW_REPLICA, harness(), () -> renew(tokens(), CONSUMER, "one"));

            assertThat(renew(tokens(), CONSUMER, "two")).containsExactlyInAnyOrder("one", "two");
            harness().passTime(LEASE);
            assertThat(renew(tokens(), CONSUMER, "two")).containsExactly("two");
        }
    }

    @Nested
    class SettingUp {

        @Test
        void storesOnlyPolicyAndComponents() {
            initialized(2);
            TokenClaim claim = claimed(1);
            advance(claim, Map.of("notes", at(6)), MARKS);
            Token before = found(1);

            assertThat(tokens().setUp(claim, 1, "by-key@2", COMPONENTS)).isTrue();

            SegmentSetup setup = before.setup().withPolicy("by-key@2").withComponents(COMPONENTS);
            assertThat(found(1)).isEqualTo(new Token(segment(1), version(1), before.positions(), MARKS, setup));
            assertThat(version(1)).isGreaterThan(before.version());
            assertThat(all().get(1)).isEqualTo(found(1));
            assertThat(found(0)).isEqualTo(Token.starting(segment(0), 1, START));
        }

        @Test
        void replacesEarlierComponents() {
            initialized(1);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);
            Map<String, Map<String, StreamPosition>> fewer = Map.of(COMPONENT, Map.of(), "kit/billing/new", START);

            tokens().setUp(claim, version(0), "by-key@3", fewer);

            assertThat(found(0).setup().components()).isEqualTo(fewer);
            assertThat(found(0).setup().policy()).isEqualTo("by-key@3");
        }

        @Test
        void survivesAdvancesAndClaims() {
            initialized(1);
            tokens().setUp(claimed(0), 0, "by-key@2", COMPONENTS);
            SegmentSetup setup = found(0).setup();

            advance(claimed(0), Map.of("notes", at(5)), MARKS);
            initialized(1);

            assertThat(found(0).setup()).isEqualTo(setup);
        }

        @Test
        void invalidatesUnitsOfEarlierVersion() {
            initialized(1);
            TokenClaim claim = claimed(0);

            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);

            assertStale(claim, 0);
            advance(claim, Map.of("notes", at(5)), Set.of());
        }

        @Test
        void rejectsStaleOrReleasedClaim() {
            initialized(1);
            TokenClaim stale = claimed(0);
            TokenClaim newest = claimed(0);

            assertNotSetUp(stale, 0);

            tokens().release(newest);
            assertNotSetUp(newest, 0);
        }

        @Test
        void rejectsWrongTokenVersion() {
            initialized(1);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of(), Set.of());

            assertNotSetUp(claim, 0);
            assertNotSetUp(claim, 2);
        }

        @Test
        void rejectsMissingSegment() {
            assertNotSetUp(new TokenClaim(segment(0), "one", 1), 0);
        }

        private void assertNotSetUp(TokenClaim claim, long version) {
            List<Object> before = storedState();

            assertThat(tokens().setUp(claim, version, "by-key@2", COMPONENTS)).isFalse();

            assertThat(storedState()).isEqualTo(before);
        }
    }
}

package io.holdfast.tck.store;

import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.HoldfastException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.event.EventIds;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link TokenStore}, and of the token advances that a commit carries. */
public abstract class TokenStoreKit extends StoreKit {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Segment SEGMENT = new Segment("billing", 0);
    private static final int ROUNDS = 25;

    private TokenStore tokens() {
        return store().tokenStore();
    }

    private StreamPosition at(long position) {
        return new StreamPosition(
                store().eventLog().identity(),
                position,
                position == 0 ? null : EventIds.random(harness().clock().instant()));
    }

    private Token initialized() {
        return tokens().initialize(SEGMENT, Map.of("notes", at(0), "lists", at(0)));
    }

    private TokenClaim claimed(String owner) {
        return tokens().claim(SEGMENT, owner, LEASE).orElseThrow();
    }

    private boolean renews(TokenClaim claim, Duration lease) {
        return tokens().renew(List.of(claim), lease).contains(claim);
    }

    private Token found() {
        return tokens().find(SEGMENT).orElseThrow();
    }

    private StreamPosition position(String stream) {
        return Objects.requireNonNull(found().positions().get(stream));
    }

    private static TokenAdvance advance(TokenClaim claim, long fromVersion, StreamPosition notes) {
        return TokenAdvances.next(claim, fromVersion, Map.of("notes", notes));
    }

    private void assertRejected(TokenAdvance advance) {
        Token before = tokens().find(advance.claim().segment()).orElse(null);

        List<Rejection> rejections = writer().rejections(token(advance));

        assertThat(rejections).singleElement().satisfies(rejection -> {
            assertThat(rejection.unit()).isZero();
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
            assertThat(rejection.cause())
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(advance.claim().segment().toString());
        });
        assertThat(tokens().find(advance.claim().segment())).isEqualTo(Optional.ofNullable(before));
    }

    @Nested
    class Initializing {

        @Test
        void findsNoTokenInitially() {
            assertThat(tokens().find(SEGMENT)).isEmpty();
        }

        @Test
        void startsAtVersionZeroWithGivenPositions() {
            Map<String, StreamPosition> start = Map.of("notes", at(7), "lists", at(0));

            Token token = tokens().initialize(SEGMENT, start);

            assertThat(token).isEqualTo(Token.starting(SEGMENT, 0, start));
            assertThat(found()).isEqualTo(token);
        }

        @Test
        void neverReplacesStoredPosition() {
            StreamPosition first = at(7);
            tokens().initialize(SEGMENT, Map.of("notes", first));

            Token again = tokens().initialize(SEGMENT, Map.of("notes", at(9)));

            assertThat(again.positions()).containsExactly(Map.entry("notes", first));
            assertThat(found()).isEqualTo(again);
        }

        @Test
        void addsMissingStreams() {
            StreamPosition notes = at(7);
            StreamPosition lists = at(9);
            tokens().initialize(SEGMENT, Map.of("notes", notes));

            Token again = tokens().initialize(SEGMENT, Map.of("lists", lists, "notes", at(1)));

            assertThat(again).isEqualTo(Token.starting(SEGMENT, 0, Map.of("notes", notes, "lists", lists)));
            assertThat(found()).isEqualTo(again);
        }

        @Test
        void keepsAdvancedTokenAndItsClaim() {
            initialized();
            TokenClaim claim = claimed("one");
            StreamPosition reached = at(3);
            writer().commit(token(advance(claim, 0, reached)));

            Token again = tokens().initialize(SEGMENT, Map.of("notes", at(0), "marks", at(0)));

            assertThat(again.version()).isEqualTo(1);
            assertThat(again.positions()).containsEntry("notes", reached).containsKey("marks");
            assertThat(again.setup().starts())
                    .isEqualTo(Map.of(1, Map.of("notes", at(0), "lists", at(0), "marks", at(0))));
            writer().commit(token(advance(claim, 1, at(4))));
            assertThat(found().positions()).containsKey("marks");
        }

        @Test
        void separatesSegments() {
            Segment second = new Segment("billing", 1);
            Segment other = new Segment("Billing", 0);
            Map<String, StreamPosition> start = Map.of("notes", at(2));
            initialized();

            tokens().initialize(second, start);

            assertThat(tokens().find(second)).contains(Token.starting(second, 0, start));
            assertThat(position("notes")).isEqualTo(at(0));
            assertThat(tokens().find(other)).isEmpty();
        }

        @Test
        void happensOnceForConcurrentCallers() {
            for (int round = 0; round < ROUNDS; round++) {
                Segment segment = new Segment("billing", round);
                List<StreamPosition> starts = List.of(at(1), at(2), at(3), at(4));

                List<Token> results = TestThreads.race(
                        starts.size(), worker -> tokens().initialize(segment, Map.of("notes", starts.get(worker))));

                assertThat(results).containsOnly(tokens().find(segment).orElseThrow());
            }
        }
    }

    @Nested
    class FindingAll {

        @Test
        void returnsSegmentsOfOneConsumerByNumber() {
            for (int number : List.of(10, 2, 0)) {
                tokens().initialize(new Segment("billing", number), Map.of("notes", at(number)));
            }
            tokens().initialize(new Segment("Billing", 1), Map.of("notes", at(1)));
            tokens().initialize(new Segment("billing/other", 1), Map.of("notes", at(1)));

            List<Token> all = tokens().findAll("billing").stream()
                    .map(ClaimedToken::token)
                    .toList();

            assertThat(all).extracting(token -> token.segment().number()).containsExactly(0, 2, 10);
            assertThat(all)
                    .containsExactlyElementsOf(all.stream()
                            .map(token -> tokens().find(token.segment()).orElseThrow())
                            .toList());
        }

        @Test
        void includesAdvances() {
            initialized();
            StreamPosition reached = at(3);
            writer().commit(token(advance(claimed("one"), 0, reached)));

            assertThat(tokens().findAll("billing")).singleElement().satisfies(claimedToken -> {
                assertThat(claimedToken.token().version()).isEqualTo(1);
                assertThat(claimedToken.token().positions()).containsEntry("notes", reached);
            });
        }

        @Test
        void returnsOwnerAndFencingTokenOfEachSegment() {
            initialized();
            tokens().initialize(new Segment("billing", 1), Map.of());
            TokenClaim claim = claimed("one");

            List<ClaimedToken> all = tokens().findAll("billing");

            assertThat(all).extracting(ClaimedToken::owner).containsExactly("one", null);
            assertThat(all.get(0).isClaimedBy(claim)).isTrue();
        }

        @Test
        void returnsNoOwnerAfterReleaseOrExpiry() {
            initialized();
            TokenClaim released = claimed("one");
            tokens().release(released);

            assertThat(tokens().findAll("billing"))
                    .extracting(ClaimedToken::owner)
                    .containsOnlyNulls();

            TokenClaim expired = claimed("two");
            harness().passTime(LEASE);

            assertThat(tokens().findAll("billing")).singleElement().satisfies(claimedToken -> {
                assertThat(claimedToken.owner()).isNull();
                assertThat(claimedToken.fence()).isEqualTo(expired.fence());
            });
        }

        @Test
        void returnsNothingForUnknownConsumer() {
            initialized();

            assertThat(tokens().findAll("shipping")).isEmpty();
        }
    }

    @Nested
    class Claiming {

        @Test
        void rejectsMissingSegment() {
            assertThat(tokens().claim(SEGMENT, "one", LEASE)).isEmpty();
            assertThat(tokens().find(SEGMENT)).isEmpty();
        }

        @Test
        void succeedsForOneOfTwoOwners() {
            initialized();

            Optional<TokenClaim> one = tokens().claim(SEGMENT, "one", LEASE);
            Optional<TokenClaim> two = tokens().claim(SEGMENT, "two", LEASE);

            assertThat(one).hasValueSatisfying(claim -> {
                assertThat(claim.segment()).isEqualTo(SEGMENT);
                assertThat(claim.owner()).isEqualTo("one");
            });
            assertThat(two).isEmpty();
        }

        @Test
        void issuesNewFencingTokenToSameOwner() {
            initialized();
            TokenClaim first = claimed("one");

            TokenClaim second = claimed("one");

            assertThat(second.fence()).isGreaterThan(first.fence());
            assertThat(renews(first, LEASE)).isFalse();
            assertThat(renews(second, LEASE)).isTrue();
        }

        @Test
        void doesNotAffectOtherSegments() {
            Segment second = new Segment("billing", 1);
            initialized();
            tokens().initialize(second, Map.of());
            claimed("one");

            assertThat(tokens().claim(second, "two", LEASE)).isPresent();
        }

        @Test
        void leavesTokenUnchanged() {
            Token token = initialized();

            claimed("one");

            assertThat(found()).isEqualTo(token);
        }
    }

    @Nested
    class Expiry {

        @Test
        void allowsClaimWithHigherFencingToken() {
            initialized();
            TokenClaim expired = claimed("one");

            harness().passTime(LEASE);

            TokenClaim successor = claimed("two");
            assertThat(successor.fence()).isGreaterThan(expired.fence());
        }

        @Test
        void isNotPremature() {
            initialized();
            claimed("one");

            harness().passTime(LEASE.dividedBy(2));

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
        }
    }

    @Nested
    class Time {

        @Test
        void isSharedByAllReplicas() {
            Instant before = tokens().time();
            Instant between = replica().tokenStore().time();
            Instant after = tokens().time();

            assertThat(between).isBetween(before, after);
        }

        /** A database returns the start of the transaction, which must therefore be a new one. */
        @Test
        void advances() {
            Instant start = tokens().time();

            harness().passTime(Duration.ofMillis(10));

            await().atMost(LEASE).until(() -> tokens().time().isAfter(start));
        }
    }

    /** Leases on a store whose clock was set, for example because the database failed over. */
    @Nested
    class ClockSet {

        @Test
        void backDoesNotKeepSegmentsOfADeadReplica() {
            initialized();
            TokenClaim dead = claimed("dead");

            harness().setStoreClock(HOUR.negated());

            harness().passTime(LEASE.multipliedBy(2));
            assertThat(tokens().findAll("billing"))
                    .extracting(ClaimedToken::owner)
                    .containsOnlyNulls();
            assertThat(claimed("two").fence()).isGreaterThan(dead.fence());
        }

        @Test
        void backByLessThanALeaseDoesNotExpireIt() {
            initialized();
            claimed("one");

            harness().setStoreClock(LEASE.dividedBy(2).negated());

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            harness().passTime(LEASE.multipliedBy(2));
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isPresent();
        }

        @Test
        void doesNotExpireRenewedLeases() {
            for (Duration difference : List.of(HOUR.negated(), HOUR)) {
                initialized();
                TokenClaim claim = claimed("one");

                harness().setStoreClock(difference);

                assertThat(renews(claim, LEASE)).isTrue();
                harness().passTime(LEASE.dividedBy(2));
                assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
                harness().passTime(LEASE);
                tokens().release(claimed("two"));
            }
        }

        @Test
        void doesNotDependOnTheLeaseOfTheClaimant() {
            initialized();
            claimed("one");

            assertThat(tokens().claim(SEGMENT, "two", LEASE.dividedBy(10))).isEmpty();
        }
    }

    @Nested
    class Renewing {

        @Test
        void extendsLeaseFromNow() {
            initialized();
            TokenClaim claim = claimed("one");
            harness().passTime(LEASE.dividedBy(2));

            assertThat(renews(claim, LEASE.multipliedBy(2))).isTrue();

            harness().passTime(LEASE);
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            harness().passTime(LEASE);
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isPresent();
        }

        @Test
        void succeedsAfterExpiryUnlessReclaimed() {
            initialized();
            TokenClaim claim = claimed("one");
            harness().passTime(LEASE.multipliedBy(2));

            assertThat(renews(claim, LEASE)).isTrue();

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
        }

        @Test
        void isRejectedAfterReclaim() {
            initialized();
            TokenClaim claim = claimed("one");
            harness().passTime(LEASE);
            TokenClaim successor = claimed("two");

            assertThat(renews(claim, LEASE)).isFalse();

            assertThat(renews(successor, LEASE)).isTrue();
        }

        @Test
        void isRejectedAfterRelease() {
            initialized();
            TokenClaim claim = claimed("one");
            tokens().release(claim);

            assertThat(renews(claim, LEASE)).isFalse();

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isPresent();
        }

        @Test
        void rejectsMissingSegment() {
            assertThat(renews(new TokenClaim(SEGMENT, "one", 1), LEASE)).isFalse();
        }

        @Test
        void renewsOnlyNewestClaims() {
            Segment second = new Segment("billing", 1);
            Segment third = new Segment("shipping", 0);
            initialized();
            tokens().initialize(second, Map.of());
            tokens().initialize(third, Map.of());
            TokenClaim stale = claimed("one");
            TokenClaim newest = claimed("one");
            TokenClaim released = tokens().claim(second, "one", LEASE).orElseThrow();
            tokens().release(released);
            TokenClaim other = tokens().claim(third, "one", LEASE).orElseThrow();
            TokenClaim unknown = new TokenClaim(new Segment("unknown", 0), "one", 1);

            Set<TokenClaim> renewed =
                    tokens().renew(List.of(stale, newest, released, other, unknown), LEASE.multipliedBy(2));

            assertThat(renewed).containsExactlyInAnyOrder(newest, other);
            harness().passTime(LEASE);
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            assertThat(tokens().claim(third, "two", LEASE)).isEmpty();
            assertThat(tokens().claim(second, "two", LEASE)).isPresent();
        }

        @Test
        void acceptsEmptyList() {
            assertThat(tokens().renew(List.of(), LEASE)).isEmpty();
        }

        @Test
        void isNotUndoneByConcurrentCommit() {
            initialized();
            TokenClaim claim = claimed("one");

            try (TestThreads threads = new TestThreads();
                    CommitSession session = store().commitStore().open()) {
                session.lockHead();
                assertThat(session.write(List.of(token(advance(claim, 0, at(1))))))
                        .isEmpty();
                Future<Boolean> renewed = threads.start(() -> renews(claim, LEASE.multipliedBy(10)));
                TestThreads.completesSoon(renewed); // it completes now, or waits for the commit
                session.commit();
                assertThat(TestThreads.result(renewed)).isTrue();
            }

            harness().passTime(LEASE.multipliedBy(2));
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            assertThat(found().version()).isEqualTo(1);
        }
    }

    @Nested
    class Releasing {

        @Test
        void allowsImmediateClaim() {
            initialized();
            TokenClaim claim = claimed("one");

            tokens().release(claim);

            assertThat(claimed("two").fence()).isGreaterThan(claim.fence());
        }

        @Test
        void isIdempotent() {
            initialized();
            TokenClaim claim = claimed("one");
            tokens().release(claim);
            TokenClaim successor = claimed("two");

            tokens().release(claim);

            assertThat(renews(successor, LEASE)).isTrue();
            assertThat(tokens().claim(SEGMENT, "three", LEASE)).isEmpty();
        }

        @Test
        void ignoresStaleClaim() {
            initialized();
            TokenClaim stale = claimed("one");
            TokenClaim newest = claimed("one");

            tokens().release(stale);

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            assertThat(renews(newest, LEASE)).isTrue();
        }

        @Test
        void ignoresMissingSegment() {
            tokens().release(new TokenClaim(SEGMENT, "one", 1));

            assertThat(tokens().find(SEGMENT)).isEmpty();
        }
    }

    @Nested
    class ConcurrentClaims {

        @Test
        void grantFreeSegmentToExactlyOneOwner() {
            for (int round = 0; round < ROUNDS; round++) {
                Segment segment = new Segment("billing", round);
                tokens().initialize(segment, Map.of("notes", at(0)));

                assertThat(claimConcurrently(segment)).hasSize(1);
            }
        }

        @Test
        void grantExpiredSegmentToExactlyOneOwner() {
            initialized();
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(claimConcurrently(SEGMENT)).hasSize(1);
                harness().passTime(LEASE);
            }
        }

        @Test
        void neverShareFencingTokenUnderOneOwnerName() {
            initialized();

            List<TokenClaim> claims = TestThreads.race(
                    4, worker -> tokens().claim(SEGMENT, "one", LEASE).orElseThrow());

            assertThat(claims).doesNotHaveDuplicates();
            assertThat(claims.stream().filter(claim -> renews(claim, LEASE))).hasSize(1);
        }

        private List<TokenClaim> claimConcurrently(Segment segment) {
            return TestThreads.race(4, worker -> tokens().claim(segment, "worker-" + worker, LEASE)).stream()
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    @Nested
    class Advancing {

        @Test
        void storesPositionsAndRaisesVersion() {
            initialized();
            TokenClaim claim = claimed("one");
            StreamPosition reached = at(5);

            writer().commit(token(advance(claim, 0, reached)));

            assertThat(found().version()).isEqualTo(1);
            assertThat(position("notes")).isEqualTo(reached);
        }

        @Test
        void keepsPositionOfOtherStreams() {
            StreamPosition lists = at(3);
            tokens().initialize(SEGMENT, Map.of("notes", at(0), "lists", lists));
            TokenClaim claim = claimed("one");

            writer().commit(token(advance(claim, 0, at(5))));

            assertThat(position("lists")).isEqualTo(lists);
        }

        @Test
        void continuesUnderSameClaim() {
            initialized();
            TokenClaim claim = claimed("one");
            StreamPosition last = at(9);
            writer().commit(token(advance(claim, 0, at(5))));

            writer().commit(token(advance(claim, 1, last)));

            assertThat(found().version()).isEqualTo(2);
            assertThat(position("notes")).isEqualTo(last);
        }

        @Test
        void appliesUnitsOfOneCommitInOrder() {
            initialized();
            TokenClaim claim = claimed("one");
            StreamPosition notes = at(7);
            StreamPosition lists = at(6);

            writer().commit(
                            token(TokenAdvances.next(claim, 0, Map.of("notes", at(5), "lists", lists))),
                            token(advance(claim, 1, notes)));

            assertThat(found().version()).isEqualTo(2);
            assertThat(found().positions()).isEqualTo(Map.of("notes", notes, "lists", lists));
        }

        @Test
        void rejectsSecondUnitFromSameVersion() {
            initialized();
            TokenClaim claim = claimed("one");

            List<Rejection> rejections =
                    writer().rejections(token(advance(claim, 0, at(5))), token(advance(claim, 0, at(7))));

            assertThat(rejections).singleElement().satisfies(rejection -> {
                assertThat(rejection.unit()).isEqualTo(1);
                assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
                assertThat(rejection.cause()).isInstanceOf(StaleTokenException.class);
            });
        }

        @Test
        void isInvisibleBeforeCommit() {
            Token token = initialized();
            TokenClaim claim = claimed("one");

            assertThat(writer().rejections(token(advance(claim, 0, at(5))))).isEmpty();

            assertThat(found()).isEqualTo(token);
        }

        @Test
        void rejectsStaleFencingToken() {
            initialized();
            TokenClaim stale = claimed("one");
            claimed("one");

            assertRejected(advance(stale, 0, at(5)));
        }

        @Test
        void isRejectedAfterReclaim() {
            initialized();
            TokenClaim stale = claimed("one");
            harness().passTime(LEASE);
            claimed("two");

            assertRejected(advance(stale, 0, at(5)));
        }

        @Test
        void rejectsOtherOwnerWithCurrentFencingToken() {
            initialized();
            TokenClaim claim = claimed("one");

            assertRejected(advance(new TokenClaim(SEGMENT, "two", claim.fence()), 0, at(5)));
        }

        @Test
        void rejectsWrongTokenVersion() {
            initialized();
            TokenClaim claim = claimed("one");
            writer().commit(token(advance(claim, 0, at(5))));

            assertRejected(advance(claim, 0, at(6)));
            assertRejected(advance(claim, 2, at(6)));
        }

        @Test
        void rejectsMissingSegment() {
            assertRejected(advance(new TokenClaim(SEGMENT, "one", 1), 0, at(5)));
        }

        @Test
        void isRejectedAfterRelease() {
            initialized();
            TokenClaim claim = claimed("one");
            tokens().release(claim);

            assertRejected(advance(claim, 0, at(5)));
        }

        @Test
        void succeedsAfterExpiryUnlessReclaimed() {
            initialized();
            TokenClaim claim = claimed("one");
            harness().passTime(LEASE.multipliedBy(2));

            writer().commit(token(advance(claim, 0, at(5))));

            assertThat(found().version()).isEqualTo(1);
        }

        @Test
        void doesNotExtendLease() {
            initialized();
            TokenClaim claim = claimed("one");
            harness().passTime(LEASE.dividedBy(2));

            writer().commit(token(advance(claim, 0, at(5))));

            harness().passTime(LEASE.dividedBy(2));
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isPresent();
        }

        @Test
        void neverCommitsAfterSuccessorHasLoadedToken() {
            initialized();
            TokenClaim claim = claimed("one");

            boolean committed;
            Future<Token> successor;
            try (TestThreads threads = new TestThreads();
                    CommitSession session = store().commitStore().open()) {
                session.lockHead();
                // before rows are locked: a harness on a database moves time by updating rows
                harness().passTime(LEASE);
                assertThat(session.write(List.of(token(advance(claim, 0, at(5))))))
                        .isEmpty();
                successor = threads.start(() -> {
                    claimed("two");
                    return found();
                });
                TestThreads.completesSoon(successor); // it completes now, or waits for the commit
                committed = commits(session);
            }

            Token loaded = TestThreads.result(successor);
            assertThat(loaded).isEqualTo(found());
            assertThat(loaded.version()).isEqualTo(committed ? 1 : 0);
        }

        private boolean commits(CommitSession session) {
            try {
                session.commit();
                return true;
            } catch (HoldfastException e) {
                return false;
            }
        }
    }

    @Nested
    class Visibility {

        @Test
        void showsTokensClaimsAndAdvancesToOtherReplicas() {
            TokenStore otherReplica = replica().tokenStore();
            initialized();
            TokenClaim claim = claimed("one");

            assertThat(otherReplica.claim(SEGMENT, "two", LEASE)).isEmpty();
            writer().commit(token(advance(claim, 0, at(5))));

            assertThat(otherReplica.find(SEGMENT)).contains(found());
            tokens().release(claim);
            assertThat(otherReplica.claim(SEGMENT, "two", LEASE)).isPresent();
            assertRejected(advance(claim, 1, at(6)));
        }
    }

    @Nested
    class Crashing {

        @Test
        void leavesNoTokenBeforeInitialization() {
            Crash.before(CommitPoint.TOKEN_INITIALIZE, harness(), () -> initialized());

            assertThat(tokens().find(SEGMENT)).isEmpty();
            assertThat(initialized().version()).isZero();
        }

        @Test
        void leavesTokenAfterInitialization() {
            StreamPosition start = at(7);
            Crash.after(CommitPoint.TOKEN_INITIALIZE, harness(), () -> tokens().initialize(
                            SEGMENT, Map.of("notes", start)));

            assertThat(initialized().positions()).containsEntry("notes", start);
        }

        @Test
        void leavesSegmentFreeBeforeClaim() {
            initialized();
            Crash.before(CommitPoint.TOKEN_CLAIM, harness(), () -> claimed("one"));

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isPresent();
        }

        @Test
        void keepsClaimUntilLeaseExpiresAfterClaim() {
            initialized();
            Crash.after(CommitPoint.TOKEN_CLAIM, harness(), () -> claimed("one"));

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            harness().passTime(LEASE);
            writer().commit(token(advance(claimed("two"), 0, at(5))));
        }

        @Test
        void leavesLeaseUnchangedBeforeRenewal() {
            initialized();
            TokenClaim claim = claimed("one");
            Crash.before(CommitPoint.TOKEN_RENEW, harness(), () -> renews(claim, LEASE.multipliedBy(3)));

            harness().passTime(LEASE);
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isPresent();
        }

        @Test
        void leavesLeaseRenewedAfterRenewal() {
            initialized();
            TokenClaim claim = claimed("one");
            Crash.after(CommitPoint.TOKEN_RENEW, harness(), () -> renews(claim, LEASE.multipliedBy(3)));

            harness().passTime(LEASE);
            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            assertThat(renews(claim, LEASE)).isTrue();
        }

        @Test
        void keepsClaimBeforeRelease() {
            initialized();
            TokenClaim claim = claimed("one");
            Crash.before(CommitPoint.TOKEN_RELEASE, harness(), () -> tokens().release(claim));

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isEmpty();
            writer().commit(token(advance(claim, 0, at(5))));
        }

        @Test
        void leavesSegmentFreeAfterRelease() {
            initialized();
            TokenClaim claim = claimed("one");
            Crash.after(CommitPoint.TOKEN_RELEASE, harness(), () -> tokens().release(claim));

            assertThat(tokens().claim(SEGMENT, "two", LEASE)).isPresent();
        }

        @Test
        void leavesTokenUnchangedBeforeCommit() {
            initialized();
            TokenClaim claim = claimed("one");
            for (CrashPoints.Moment moment : List.of(
                    new CrashPoints.Moment(CommitPoint.WRITE_TOKENS, false),
                    new CrashPoints.Moment(CommitPoint.WRITE_TOKENS, true),
                    new CrashPoints.Moment(CommitPoint.COMMIT, false))) {
                Crash.at(moment, harness(), () -> writer().commit(token(advance(claim, 0, at(5)))));

                assertThat(found().version()).as(moment.toString()).isZero();
                assertThat(position("notes")).isEqualTo(at(0));
            }
            writer().commit(token(advance(claim, 0, at(5))));
            assertThat(found().version()).isEqualTo(1);
        }

        @Test
        void leavesTokenAdvancedAfterCommit() {
            initialized();
            TokenClaim claim = claimed("one");
            StreamPosition reached = at(5);
            Crash.after(CommitPoint.COMMIT, harness(), () -> writer().commit(token(advance(claim, 0, reached))));

            assertThat(found().version()).isEqualTo(1);
            assertThat(position("notes")).isEqualTo(reached);
            writer().commit(token(advance(claim, 1, at(6))));
        }
    }
}

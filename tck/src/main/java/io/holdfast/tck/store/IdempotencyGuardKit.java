package io.holdfast.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.idempotency.ClaimResult;
import io.holdfast.idempotency.IdempotencyClaim;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link IdempotencyGuard}. */
public abstract class IdempotencyGuardKit extends StoreKit {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final IdempotencyKey KEY = new IdempotencyKey("billing", "charge-1");
    private static final int ROUNDS = 25;

    private IdempotencyGuard guard() {
        return store().idempotencyGuard();
    }

    private IdempotencyClaim claimed() {
        return claimed(KEY);
    }

    private IdempotencyClaim claimed(IdempotencyKey key) {
        ClaimResult result = guard().claim(key, LEASE);
        assertThat(result).isInstanceOf(ClaimResult.Claimed.class);
        return ((ClaimResult.Claimed) result).claim();
    }

    private void assertInProgress() {
        assertThat(guard().claim(KEY, LEASE)).isEqualTo(new ClaimResult.InProgress());
    }

    private void assertDone() {
        assertThat(guard().claim(KEY, LEASE)).isEqualTo(new ClaimResult.Done());
    }

    /** An expired claim and the claim that replaced it. */
    private ReclaimedKey reclaimExpired() {
        IdempotencyClaim expired = claimed();
        harness().passTime(LEASE);
        return new ReclaimedKey(expired, claimed());
    }

    private record ReclaimedKey(IdempotencyClaim expired, IdempotencyClaim successor) {}

    @Nested
    class Claiming {

        @Test
        void isGrantedOnceAndThenInProgress() {
            IdempotencyClaim claim = claimed();

            assertThat(claim.key()).isEqualTo(KEY);
            assertInProgress();
        }

        @Test
        void returnsDoneAfterCompletion() {
            guard().complete(claimed(), TTL);

            assertDone();
            assertDone();
        }

        @Test
        void doesNotBlockOtherConsumerOfSameWork() {
            IdempotencyKey other = new IdempotencyKey("shipping", KEY.work());
            guard().complete(claimed(), TTL);

            IdempotencyClaim claim = claimed(other);

            guard().release(claim);
            assertDone();
            claimed(other);
        }

        @Test
        void separatesKeysThatDifferInCaseSpaceOrSeparator() {
            claimed();

            claimed(new IdempotencyKey("billing", "Charge-1"));
            claimed(new IdempotencyKey("Billing", "charge-1"));
            claimed(new IdempotencyKey("billing", "charge-1 "));
            claimed(new IdempotencyKey("a/b", "c"));
            claimed(new IdempotencyKey("a", "b/c"));
        }
    }

    @Nested
    class Expiry {

        @Test
        void ofLeaseAllowsClaimWithHigherFencingToken() {
            ReclaimedKey reclaimed = reclaimExpired();

            assertThat(reclaimed.successor().fence())
                    .isGreaterThan(reclaimed.expired().fence());
            assertInProgress();
        }

        @Test
        void ofLeaseIsNotPremature() {
            claimed();

            harness().passTime(LEASE.dividedBy(2));

            assertInProgress();
        }

        @Test
        void ofTtlAllowsNewClaim() {
            guard().complete(claimed(), TTL);

            harness().passTime(TTL);

            claimed();
        }

        @Test
        void ofTtlIsNotPremature() {
            guard().complete(claimed(), TTL);

            harness().passTime(TTL.dividedBy(2));

            assertDone();
        }
    }

    /** Leases and ttls on a store whose clock was set, for example because the database failed over. */
    @Nested
    class ClockSet {

        @Test
        void backDoesNotKeepTheClaimOfADeadCaller() {
            IdempotencyClaim dead = claimed();

            harness().setStoreClock(HOUR.negated());

            harness().passTime(LEASE.multipliedBy(2));
            assertThat(claimed().fence()).isGreaterThan(dead.fence());
        }

        @Test
        void doesNotExpireARenewedClaim() {
            IdempotencyClaim claim = claimed();

            harness().setStoreClock(HOUR.negated());
            assertThat(guard().renew(claim, LEASE)).isTrue();

            assertInProgress();
        }

        @Test
        void backDoesNotForgetThatWorkIsDone() {
            guard().complete(claimed(), TTL);

            harness().setStoreClock(HOUR.negated());

            assertDone();
        }

        @Test
        void doesNotDependOnTheLeaseOfTheClaimant() {
            claimed();

            assertThat(guard().claim(KEY, LEASE.dividedBy(10))).isEqualTo(new ClaimResult.InProgress());
        }
    }

    @Nested
    class Renewing {

        @Test
        void extendsLeaseFromNow() {
            IdempotencyClaim claim = claimed();
            harness().passTime(LEASE.dividedBy(2));

            assertThat(guard().renew(claim, LEASE.multipliedBy(2))).isTrue();

            harness().passTime(LEASE);
            assertInProgress();
            harness().passTime(LEASE);
            claimed();
        }

        @Test
        void succeedsAfterExpiryUnlessReclaimed() {
            IdempotencyClaim claim = claimed();
            harness().passTime(LEASE.multipliedBy(2));

            assertThat(guard().renew(claim, LEASE)).isTrue();

            assertInProgress();
        }

        @Test
        void isRejectedAfterReclaim() {
            ReclaimedKey reclaimed = reclaimExpired();

            assertThat(guard().renew(reclaimed.expired(), LEASE)).isFalse();

            assertThat(guard().renew(reclaimed.successor(), LEASE)).isTrue();
        }

        @Test
        void isRejectedAfterReleaseAndAfterCompletion() {
            IdempotencyClaim released = claimed();
            guard().release(released);
            assertThat(guard().renew(released, LEASE)).isFalse();

            IdempotencyClaim completed = claimed();
            guard().complete(completed, TTL);
            assertThat(guard().renew(completed, LEASE)).isFalse();
            assertDone();
        }
    }

    @Nested
    class Completing {

        @Test
        void returnsTrueForOwner() {
            assertThat(guard().complete(claimed(), TTL)).isTrue();
        }

        @Test
        void returnsTrueAfterExpiryUnlessReclaimed() {
            IdempotencyClaim claim = claimed();
            harness().passTime(LEASE.multipliedBy(2));

            assertThat(guard().complete(claim, TTL)).isTrue();

            assertDone();
        }

        @Test
        void isIdempotentAndDoesNotExtendTtl() {
            IdempotencyClaim claim = claimed();
            guard().complete(claim, TTL);
            harness().passTime(TTL.dividedBy(2));

            assertThat(guard().complete(claim, TTL.multipliedBy(3))).isTrue();

            assertDone();
            harness().passTime(TTL.dividedBy(2));
            claimed();
        }

        @Test
        void returnsFalseAfterReclaim() {
            ReclaimedKey reclaimed = reclaimExpired();

            assertThat(guard().complete(reclaimed.expired(), TTL)).isFalse();

            assertInProgress();
            assertThat(guard().complete(reclaimed.successor(), TTL)).isTrue();
            assertDone();
        }

        @Test
        void returnsFalseWhenSuccessorHasCompleted() {
            ReclaimedKey reclaimed = reclaimExpired();
            guard().complete(reclaimed.successor(), TTL);

            assertThat(guard().complete(reclaimed.expired(), TTL)).isFalse();

            assertDone();
        }

        @Test
        void returnsFalseAfterRelease() {
            IdempotencyClaim claim = claimed();
            guard().release(claim);

            assertThat(guard().complete(claim, TTL)).isFalse();

            claimed();
        }
    }

    @Nested
    class Releasing {

        @Test
        void allowsImmediateClaimWithHigherFencingToken() {
            IdempotencyClaim claim = claimed();

            guard().release(claim);

            assertThat(claimed().fence()).isGreaterThan(claim.fence());
        }

        @Test
        void isIgnoredAfterReclaim() {
            ReclaimedKey reclaimed = reclaimExpired();

            guard().release(reclaimed.expired());

            assertInProgress();
            assertThat(guard().complete(reclaimed.successor(), TTL)).isTrue();
        }

        @Test
        void isIgnoredAfterCompletion() {
            IdempotencyClaim claim = claimed();
            guard().complete(claim, TTL);

            guard().release(claim);

            assertDone();
        }

        @Test
        void isIdempotent() {
            IdempotencyClaim claim = claimed();
            guard().release(claim);
            claimed();

            guard().release(claim);

            assertInProgress();
        }
    }

    @Nested
    class ConcurrentClaims {

        @Test
        void areGrantedToExactlyOneCaller() {
            for (int round = 0; round < ROUNDS; round++) {
                assertOneClaims(new IdempotencyKey("billing", "work-" + round));
            }
        }

        @Test
        void reclaimExpiredKeyExactlyOnce() {
            for (int round = 0; round < ROUNDS; round++) {
                assertOneClaims(KEY);
                harness().passTime(LEASE);
            }
        }

        private void assertOneClaims(IdempotencyKey key) {
            List<ClaimResult> results = TestThreads.race(4, worker -> guard().claim(key, LEASE));

            assertThat(results)
                    .filteredOn(ClaimResult.Claimed.class::isInstance)
                    .hasSize(1);
            assertThat(results)
                    .filteredOn(ClaimResult.InProgress.class::isInstance)
                    .hasSize(3);
        }
    }

    @Nested
    class Visibility {

        @Test
        void showsClaimsAndCompletionsToOtherReplicas() {
            IdempotencyGuard otherReplica = replica().idempotencyGuard();
            IdempotencyClaim claim = claimed();

            assertThat(otherReplica.claim(KEY, LEASE)).isEqualTo(new ClaimResult.InProgress());
            guard().complete(claim, TTL);

            assertThat(otherReplica.claim(KEY, LEASE)).isEqualTo(new ClaimResult.Done());
        }
    }

    @Nested
    class Crashing {

        @Test
        void leavesKeyFreeBeforeClaim() {
            Crash.before(CommitPoint.GUARD_CLAIM, harness(), () -> claimed());

            claimed();
        }

        @Test
        void losesClaimButNotWorkAfterClaim() {
            Crash.after(CommitPoint.GUARD_CLAIM, harness(), () -> claimed());

            assertInProgress();
            harness().passTime(LEASE);
            assertThat(guard().complete(claimed(), TTL)).isTrue();
        }

        @Test
        void leavesLeaseUnchangedBeforeRenewal() {
            IdempotencyClaim claim = claimed();
            Crash.before(CommitPoint.GUARD_RENEW, harness(), () -> guard().renew(claim, LEASE.multipliedBy(3)));

            harness().passTime(LEASE);
            claimed();
        }

        @Test
        void leavesLeaseRenewedAfterRenewal() {
            IdempotencyClaim claim = claimed();
            Crash.after(CommitPoint.GUARD_RENEW, harness(), () -> guard().renew(claim, LEASE.multipliedBy(3)));

            harness().passTime(LEASE);
            assertInProgress();
            assertThat(guard().complete(claim, TTL)).isTrue();
        }

        @Test
        void allowsWorkToRunAgainBeforeCompletion() {
            IdempotencyClaim claim = claimed();
            Crash.before(CommitPoint.GUARD_COMPLETE, harness(), () -> guard().complete(claim, TTL));

            assertInProgress();
            harness().passTime(LEASE);
            claimed();
        }

        @Test
        void leavesWorkDoneAfterCompletion() {
            IdempotencyClaim claim = claimed();
            Crash.after(CommitPoint.GUARD_COMPLETE, harness(), () -> guard().complete(claim, TTL));

            harness().passTime(LEASE);
            assertDone();
            assertThat(guard().complete(claim, TTL)).isTrue();
        }

        @Test
        void keepsClaimBeforeRelease() {
            IdempotencyClaim claim = claimed();
            Crash.before(CommitPoint.GUARD_RELEASE, harness(), () -> guard().release(claim));

            assertInProgress();
            assertThat(guard().complete(claim, TTL)).isTrue();
        }

        @Test
        void leavesKeyFreeAfterRelease() {
            IdempotencyClaim claim = claimed();
            Crash.after(CommitPoint.GUARD_RELEASE, harness(), () -> guard().release(claim));

            claimed();
        }
    }
}

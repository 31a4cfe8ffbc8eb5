package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.idempotency.ClaimResult;
import io.holdfast.idempotency.IdempotencyClaim;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.idempotency.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link IdempotencyGuard}. */
public abstract class IdempotencyGuardKit extends StoreKit {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofHours(1);
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

    /** A claim that expired, and the one that took its place. */
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
        void isToldThatTheWorkIsDone() {
            guard().complete(claimed(), TTL);

            assertDone();
            assertDone();
        }

        @Test
        void doesNotStarveAnotherConsumerOfTheSameWork() {
            IdempotencyKey other = new IdempotencyKey("shipping", KEY.work());
            guard().complete(claimed(), TTL);

            IdempotencyClaim claim = claimed(other);

            guard().release(claim);
            assertDone();
            claimed(other);
        }

        @Test
        void keepsKeysApartThatDifferInCaseSpaceOrBorder() {
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
        void ofTheLeaseLetsAnotherClaimWithAHigherFence() {
            ReclaimedKey takeOver = reclaimExpired();

            assertThat(takeOver.successor().fence())
                    .isGreaterThan(takeOver.expired().fence());
            assertInProgress();
        }

        @Test
        void ofTheLeaseDoesNotComeBeforeItsTime() {
            claimed();

            harness().passTime(LEASE.dividedBy(2));

            assertInProgress();
        }

        @Test
        void ofTheTtlLetsTheWorkBeClaimedAgain() {
            guard().complete(claimed(), TTL);

            harness().passTime(TTL);

            claimed();
        }

        @Test
        void ofTheTtlDoesNotComeBeforeItsTime() {
            guard().complete(claimed(), TTL);

            harness().passTime(TTL.dividedBy(2));

            assertDone();
        }
    }

    @Nested
    class Renewing {

        @Test
        void makesTheLeaseLastFromNow() {
            IdempotencyClaim claim = claimed();
            harness().passTime(LEASE.dividedBy(2));

            assertThat(guard().renew(claim, LEASE.multipliedBy(2))).isTrue();

            harness().passTime(LEASE);
            assertInProgress();
            harness().passTime(LEASE);
            claimed();
        }

        @Test
        void goesOnAfterExpiryIfNobodyTookIt() {
            IdempotencyClaim claim = claimed();
            harness().passTime(LEASE.multipliedBy(2));

            assertThat(guard().renew(claim, LEASE)).isTrue();

            assertInProgress();
        }

        @Test
        void isRejectedAfterATakeOver() {
            ReclaimedKey takeOver = reclaimExpired();

            assertThat(guard().renew(takeOver.expired(), LEASE)).isFalse();

            assertThat(guard().renew(takeOver.successor(), LEASE)).isTrue();
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
        void isTrueForWhoeverHoldsTheClaim() {
            assertThat(guard().complete(claimed(), TTL)).isTrue();
        }

        @Test
        void isTrueAfterExpiryIfNobodyTookIt() {
            IdempotencyClaim claim = claimed();
            harness().passTime(LEASE.multipliedBy(2));

            assertThat(guard().complete(claim, TTL)).isTrue();

            assertDone();
        }

        @Test
        void againIsTrueAndDoesNotMakeItLastLonger() {
            IdempotencyClaim claim = claimed();
            guard().complete(claim, TTL);
            harness().passTime(TTL.dividedBy(2));

            assertThat(guard().complete(claim, TTL.multipliedBy(3))).isTrue();

            assertDone();
            harness().passTime(TTL.dividedBy(2));
            claimed();
        }

        @Test
        void isFalseAfterATakeOver() {
            ReclaimedKey takeOver = reclaimExpired();

            assertThat(guard().complete(takeOver.expired(), TTL)).isFalse();

            assertInProgress();
            assertThat(guard().complete(takeOver.successor(), TTL)).isTrue();
            assertDone();
        }

        @Test
        void isFalseWhenTheSuccessorHasCompleted() {
            ReclaimedKey takeOver = reclaimExpired();
            guard().complete(takeOver.successor(), TTL);

            assertThat(guard().complete(takeOver.expired(), TTL)).isFalse();

            assertDone();
        }

        @Test
        void isFalseAfterRelease() {
            IdempotencyClaim claim = claimed();
            guard().release(claim);

            assertThat(guard().complete(claim, TTL)).isFalse();

            claimed();
        }
    }

    @Nested
    class Releasing {

        @Test
        void letsTheWorkBeClaimedAtOnceWithAHigherFence() {
            IdempotencyClaim claim = claimed();

            guard().release(claim);

            assertThat(claimed().fence()).isGreaterThan(claim.fence());
        }

        @Test
        void doesNothingAfterATakeOver() {
            ReclaimedKey takeOver = reclaimExpired();

            guard().release(takeOver.expired());

            assertInProgress();
            assertThat(guard().complete(takeOver.successor(), TTL)).isTrue();
        }

        @Test
        void doesNothingAfterCompletion() {
            IdempotencyClaim claim = claimed();
            guard().complete(claim, TTL);

            guard().release(claim);

            assertDone();
        }

        @Test
        void againDoesNothing() {
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
        void oneOfThemIsToldToDoTheWork() {
            for (int round = 0; round < ROUNDS; round++) {
                assertOneClaims(new IdempotencyKey("billing", "work-" + round));
            }
        }

        @Test
        void oneOfThemTakesOverAnExpiredClaim() {
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
        void anotherProcessSeesClaimsAndWhatIsDone() {
            IdempotencyGuard elsewhere = replica().idempotencyGuard();
            IdempotencyClaim claim = claimed();

            assertThat(elsewhere.claim(KEY, LEASE)).isEqualTo(new ClaimResult.InProgress());
            guard().complete(claim, TTL);

            assertThat(elsewhere.claim(KEY, LEASE)).isEqualTo(new ClaimResult.Done());
        }
    }

    @Nested
    class Crashing {

        @Test
        void beforeClaimingLeavesTheWorkFree() {
            Crash.before(CommitPoint.GUARD_CLAIM, harness(), () -> claimed());

            claimed();
        }

        @Test
        void afterClaimingLosesTheClaimAndNeverTheWork() {
            Crash.after(CommitPoint.GUARD_CLAIM, harness(), () -> claimed());

            assertInProgress();
            harness().passTime(LEASE);
            assertThat(guard().complete(claimed(), TTL)).isTrue();
        }

        @Test
        void beforeRenewingLeavesTheLeaseAsItWas() {
            IdempotencyClaim claim = claimed();
            Crash.before(CommitPoint.GUARD_RENEW, harness(), () -> guard().renew(claim, LEASE.multipliedBy(3)));

            harness().passTime(LEASE);
            claimed();
        }

        @Test
        void afterRenewingLeavesItRenewed() {
            IdempotencyClaim claim = claimed();
            Crash.after(CommitPoint.GUARD_RENEW, harness(), () -> guard().renew(claim, LEASE.multipliedBy(3)));

            harness().passTime(LEASE);
            assertInProgress();
            assertThat(guard().complete(claim, TTL)).isTrue();
        }

        @Test
        void beforeCompletingLetsTheWorkRunAgainAfterTheLease() {
            IdempotencyClaim claim = claimed();
            Crash.before(CommitPoint.GUARD_COMPLETE, harness(), () -> guard().complete(claim, TTL));

            assertInProgress();
            harness().passTime(LEASE);
            claimed();
        }

        @Test
        void afterCompletingLeavesItDone() {
            IdempotencyClaim claim = claimed();
            Crash.after(CommitPoint.GUARD_COMPLETE, harness(), () -> guard().complete(claim, TTL));

            harness().passTime(LEASE);
            assertDone();
            assertThat(guard().complete(claim, TTL)).isTrue();
        }

        @Test
        void beforeReleasingKeepsItHeld() {
            IdempotencyClaim claim = claimed();
            Crash.before(CommitPoint.GUARD_RELEASE, harness(), () -> guard().release(claim));

            assertInProgress();
            assertThat(guard().complete(claim, TTL)).isTrue();
        }

        @Test
        void afterReleasingLeavesItFree() {
            IdempotencyClaim claim = claimed();
            Crash.after(CommitPoint.GUARD_RELEASE, harness(), () -> guard().release(claim));

            claimed();
        }
    }
}

package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.transfer;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.Metadata;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.token.TokenAdvance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committer under conflicts, crashes, store failures and backpressure. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class CommitterFailureKit extends EngineKit {

    @Nested
    class TwoReplicas {

        @Test
        void doNotSpendSameMoneyTwice() {
            EngineUnderTest other = otherReplica();
            engine().run(deposit("a", 10));
            assertThat(other.balance("a")).isEqualTo(10);
            engine().run(withdraw("a", 8));

            CompletableFuture<CommandResult> late = other.submit(withdraw("a", 8));
            other.commit();

            assertThat(failure(late)).isInstanceOf(Overdrawn.class);
            assertThat(other.balance("a")).isEqualTo(2);
        }

        @Test
        void doNotRejectBasedOnStaleState() {
            EngineUnderTest other = otherReplica();
            other.run(deposit("a", 1));
            engine().run(deposit("a", 9));

            CompletableFuture<CommandResult> affordable = other.submit(withdraw("a", 10));
            other.commit();

            assertThat(affordable.join().events()).hasSize(1);
            assertThat(other.committer().statistics().conflicts()).isEqualTo(1);
        }

        @Test
        void doNotRejectBasedOnStaleStateAfterOwnCommit() {
            EngineUnderTest other = otherReplica();
            other.run(deposit("a", 1));
            engine().run(deposit("a", 9));
            other.run(deposit("unrelated", 1));

            CompletableFuture<CommandResult> affordable = other.submit(withdraw("a", 10));
            other.commit();

            assertThat(affordable.join().events()).hasSize(1);
        }

        @Test
        void doNotDecideOnStaleStateOfKeyTheyOnlyRead() {
            EngineUnderTest other = otherReplica();
            other.run(deposit("limit", 1));
            engine().run(withdraw("limit", 1));
            other.run(deposit("unrelated", 1));

            other.run(context -> context.append(
                    Accounts.ACCOUNT,
                    "a",
                    new Accounts.Deposited(
                            context.state(Accounts.ACCOUNT, "limit").amount())));

            assertThat(other.balance("a")).isZero();
        }

        @Test
        void decideAtMostTwicePerCommandWhenAlternatingOnOneKey() {
            EngineUnderTest other = otherReplica();
            for (int i = 0; i < 50; i++) {
                engine().run(deposit("a", 1));
                other.run(deposit("a", 1));
            }

            assertThat(engine().balance("a")).isEqualTo(100);
            assertThat(engine().committer().statistics().partsDecided()
                            + other.committer().statistics().partsDecided())
                    .isLessThanOrEqualTo(200);
        }

        @Test
        void keepBothUpdatesOfOneRow() {
            EngineUnderTest other = otherReplica();
            Part here = new Part(newPartId(), Metadata.none(), List.of(), List.of(append("x", "1")), false);
            Part there = new Part(newPartId(), Metadata.none(), List.of(), List.of(append("x", "2")), false);

            engine().submit(CommitUnit.of(here));
            other.submit(CommitUnit.of(there));
            engine().commit();
            other.commit();

            assertThat(row("x")).isEqualTo("12");
        }
    }

    @Nested
    class Tokens {

        @Test
        void failOnlyTheirUnitWhenStale() {
            TokenAdvance old = advance();
            engine().submit(CommitUnit.of(List.of(part(deposit("a", 1))), old));
            engine().commit();

            CompletableFuture<UnitOutcome> stale =
                    engine().submit(CommitUnit.of(List.of(part(deposit("a", 100))), old));
            CompletableFuture<CommandResult> fine = engine().submit(deposit("b", 1));
            engine().commit();

            assertThat(failure(stale)).isInstanceOf(StaleTokenException.class);
            assertThat(fine.join().events()).hasSize(1);
            assertThat(engine().balance("a")).isEqualTo(1);
        }

        @Test
        void rejectCommitOfReplicaThatLostItsSegment() {
            TokenAdvance zombie = advance();
            harness().passTime(Duration.ofMinutes(11));
            assertThat(store().tokenStore().claim(SEGMENT, "successor", Duration.ofMinutes(10)))
                    .isPresent();

            CompletableFuture<UnitOutcome> late =
                    engine().submit(CommitUnit.of(List.of(part(deposit("a", 1))), zombie));
            engine().commit();

            assertThat(failure(late)).isInstanceOf(StaleTokenException.class).hasMessageContaining("successor");
            assertThat(store().eventLog().position()).isZero();
        }
    }

    /** A process crashes at every moment of a commit. */
    @Nested
    class Crashing {

        static Stream<CrashPoints.Moment> moments() {
            return CommitStoreKit.commitMoments().stream();
        }

        @ParameterizedTest
        @MethodSource("moments")
        void reportsUnknownOutcomeAndRepeatedCommandTakesEffectOnce(CrashPoints.Moment moment) {
            require(Capability.CRASH_POINTS);
            engine().run(deposit("a", 10));
            List<Supplier<CompletableFuture<CommandResult>>> commands = List.of(
                    () -> engine().submit("one", transfer("a", "b", 4)), () -> engine().submit("two", deposit("c", 5)));
            List<CompletableFuture<CommandResult>> lost =
                    commands.stream().map(Supplier::get).toList();

            harness().crashPoints().crashAt(moment);
            assertThatThrownBy(() -> engine().commit()).isInstanceOf(SimulatedCrash.class);

            assertThat(lost)
                    .allSatisfy(result -> assertThat(failure(result)).isInstanceOf(OutcomeUnknownException.class));
            use(newEngine());
            List<CompletableFuture<CommandResult>> again =
                    commands.stream().map(Supplier::get).toList();
            engine().commit();
            assertThat(again)
                    .allSatisfy(result -> assertThat(result.join().events()).isNotEmpty());
            assertThat(engine().balance("a")).isEqualTo(6);
            assertThat(engine().balance("b")).isEqualTo(4);
            assertThat(engine().balance("c")).isEqualTo(5);
            assertThat(store().eventLog().position()).isEqualTo(4);
        }

        @Test
        void stopsCommitter() {
            require(Capability.CRASH_POINTS);
            engine().submit(deposit("a", 1));
            harness().crashPoints().crashAt(new CrashPoints.Moment(CommitPoint.COMMIT, false));
            assertThatThrownBy(() -> engine().commit()).isInstanceOf(SimulatedCrash.class);

            assertThat(failure(engine().submit(deposit("a", 1))))
                    .isInstanceOf(RetryableException.class)
                    .hasMessageContaining("stopped");
        }
    }

    @Nested
    class StoreFailures {

        @Test
        void resolveLostOutcomeAsDuplicate() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));
            CompletableFuture<CommandResult> result = engine().submit(deposit("a", 7));
            CompletableFuture<CommandResult> other = engine().submit(deposit("b", 7));

            failing.loseOutcomes(1);
            engine().commit();

            assertThat(result.join().duplicate()).isTrue();
            assertThat(other.join().events()).hasSize(1);
            assertThat(engine().balance("a")).isEqualTo(7);
            assertThat(store().eventLog().position()).isEqualTo(2);
        }

        @Test
        void leaveOutcomeUnknownWhenStoreStaysDown() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));
            CompletableFuture<CommandResult> result = engine().submit(deposit("a", 7));

            List<Set<String>> notified = new ArrayList<>();
            engine().committer().onAppend(notified::add);

            failing.loseOutcomes(1);
            failing.failOpensAfterLostOutcome(100);
            engine().commit();

            assertThat(failure(result)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(store().eventLog().position()).isEqualTo(1);
            assertThat(notified)
                    .as("readers are notified of events that may exist")
                    .containsExactly(Set.of(Accounts.STREAM));
        }

        @Test
        void doNotUpdateRowTwiceAfterLostOutcome() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));
            Part rowsOnly = new Part(newPartId(), Metadata.none(), List.of(), List.of(append("x", "1")), false);
            CompletableFuture<UnitOutcome> result = engine().submit(CommitUnit.of(rowsOnly));

            failing.loseOutcomes(1);
            engine().commit();

            assertThat(row("x")).isEqualTo("1");
            assertThat(failure(result)).isInstanceOf(OutcomeUnknownException.class);
        }

        @Test
        void leaveNoUncommittedStateAfterFailedCommit() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));
            CompletableFuture<CommandResult> result = engine().submit(deposit("a", 7));

            failing.failCommits(100);
            engine().commit();

            assertThat(failure(result)).isInstanceOf(RetryableException.class);
            assertThat(engine().balance("a")).isZero();
        }

        @Test
        void failWithRetryableErrorUntilStoreRecovers() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));
            CompletableFuture<CommandResult> result = engine().submit(deposit("a", 7));

            failing.failOpens(100);
            engine().commit();

            assertThat(failure(result)).isInstanceOf(RetryableException.class);
            failing.failOpens(0);
            assertThat(engine().run(deposit("a", 1)).events()).hasSize(1);
        }

        @Test
        void failOnlyPoisonUnitOfBatch() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 100));
            List<CompletableFuture<CommandResult>> fine = IntStream.range(0, 10)
                    .mapToObj(i -> engine().submit(deposit("k" + i, 1)))
                    .toList();
            CompletableFuture<CommandResult> poison = engine().submit(deposit(FailingStore.POISON, 1));
            CompletableFuture<CommandResult> last = engine().submit(deposit("k0", 1));

            engine().commit();

            assertThat(fine)
                    .allSatisfy(result -> assertThat(result.join().events()).hasSize(1));
            assertThat(last.join().events()).hasSize(1);
            assertThat(failure(poison)).isInstanceOf(PermanentException.class);
            assertThat(store().eventLog().position()).isEqualTo(11);
        }
    }

    @Nested
    class QueueCapacity {

        @Test
        void rejectsSubmissionWithoutEffectWhenQueueIsFull() {
            use(new EngineUnderTest(store(), store().commitStore(), harness().clock(), 2));
            engine().submit(deposit("a", 1));
            engine().submit(deposit("a", 1));

            CompletableFuture<CommandResult> third = engine().submit(deposit("a", 1));
            engine().commit();

            assertThat(failure(third)).isInstanceOf(CommitterBusyException.class);
            assertThat(engine().balance("a")).isEqualTo(2);
        }

        @Test
        void commitsWaitingUnitsOnCloseAndRejectsLaterOnes() {
            CompletableFuture<CommandResult> waiting = engine().submit(deposit("a", 1));

            engine().committer().close();

            assertThat(waiting.join().events()).hasSize(1);
            assertThat(failure(engine().submit(deposit("a", 1)))).isInstanceOf(RetryableException.class);
        }
    }

    @Nested
    class ConcurrentCallers {

        @Test
        void allSucceedOnHotKeyWithoutRepeatedDecisions() {
            int callers = 64;
            int each = 20;
            GroupCommitter committer = engine().committer().start();

            List<Thread> threads = IntStream.range(0, callers)
                    .mapToObj(caller -> new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            engine().submit(deposit("hot", 1)).join();
                        }
                    }))
                    .toList();
            threads.forEach(Thread::start);
            threads.forEach(CommitterFailureKit::join);
            committer.close();

            assertThat(engine().balance("hot")).isEqualTo((long) callers * each);
            assertThat(committer.statistics().partsDecided()).isLessThanOrEqualTo(2L * callers * each);
            assertThat(committer.statistics().commits()).isLessThan((long) callers * each);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }
}

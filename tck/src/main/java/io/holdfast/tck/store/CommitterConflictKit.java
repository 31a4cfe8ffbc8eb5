package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.transfer;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.RecordingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A batch in which some units conflict with another replica's commit: only these are decided again. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class CommitterConflictKit extends EngineKit {

    private RecordingStore recording;
    private EngineUnderTest other;

    /** Starts two replicas; the first one has the state of two accounts in its cache. */
    @BeforeEach
    void startReplicas() {
        other = otherReplica();
        recording = new RecordingStore(store().commitStore());
        use(new EngineUnderTest(store(), recording, harness().clock(), 1_000));
        engine().run(deposit("a", 10));
        engine().run(deposit("b", 1));
        recording.calls().clear();
    }

    private long decidedIn(Runnable work) {
        long before = engine().committer().statistics().partsDecided();
        work.run();
        return engine().committer().statistics().partsDecided() - before;
    }

    @Nested
    class DecidingAgain {

        @Test
        void leavesUnitsAloneThatHaveReadNothingChanged() {
            List<CompletableFuture<CommandResult>> untouched = new ArrayList<>();
            IntStream.range(0, 20).forEach(i -> untouched.add(engine().submit(deposit("k" + i, 1))));
            CompletableFuture<CommandResult> conflicting = engine().submit(withdraw("a", 10));
            untouched.add(engine().submit(deposit("b", 1)));
            other.run(deposit("a", 1));

            assertThat(decidedIn(() -> engine().commit())).isEqualTo(22 + 1);

            assertThat(conflicting.join().events()).hasSize(1);
            assertThat(untouched)
                    .allSatisfy(result -> assertThat(result.join().events()).hasSize(1));
            assertThat(newEngine().balance("a")).isEqualTo(1);
            assertThat(engine().balance("b")).isEqualTo(2);
            assertThat(engine().committer().statistics().conflicts()).isEqualTo(1);
        }

        @Test
        void includesUnitsThatHaveSeenWhatConflictingOneChanged() {
            CompletableFuture<CommandResult> first = engine().submit(transfer("a", "b", 10));
            CompletableFuture<CommandResult> dependent = engine().submit(withdraw("b", 11));
            CompletableFuture<CommandResult> dependentOfDependent = engine().submit(context -> {
                context.append(
                        ACCOUNT, "c", new Deposited(context.state(ACCOUNT, "b").amount()));
            });
            CompletableFuture<CommandResult> untouched = engine().submit(deposit("d", 1));
            other.run(withdraw("a", 5));

            assertThat(decidedIn(() -> engine().commit())).isEqualTo(4 + 3);

            assertThat(failure(first)).isInstanceOf(Overdrawn.class);
            assertThat(failure(dependent)).isInstanceOf(Overdrawn.class);
            assertThat(dependentOfDependent.join().events()).hasSize(1);
            assertThat(untouched.join().events()).hasSize(1);
            assertThat(newEngine().balance("c")).isEqualTo(1);
        }

        @Test
        void includesUnitsThatReadWhatConflictingOneChangesOnlyNow() {
            CompletableFuture<CommandResult> first = engine().submit(context -> {
                String target = context.state(ACCOUNT, "a").amount() > 5 ? "b" : "z";
                context.append(ACCOUNT, target, new Deposited(100));
            });
            CompletableFuture<CommandResult> second = engine().submit(withdraw("z", 100));
            other.run(withdraw("a", 9));

            engine().commit();

            assertThat(first.join().events()).extracting(EventMessage::key).containsExactly("z");
            assertThat(second.join().events()).hasSize(1);
            assertThat(newEngine().balance("z")).isZero();
            assertThat(newEngine().balance("b")).isEqualTo(1);
        }

        @Test
        void includesUnitsThatUpdateSameRow() {
            engine().submit(CommitUnit.of(rowPart(withdraw("a", 10), "x", "1")));
            CompletableFuture<?> second = engine().submit(CommitUnit.of(rowPart(deposit("c", 1), "x", "2")));
            engine().submit(CommitUnit.of(rowPart(deposit("d", 1), "y", "3")));
            other.run(withdraw("a", 1));

            assertThat(decidedIn(() -> engine().commit())).isEqualTo(3 + 2);

            assertThat(second).isCompleted();
            assertThat(row("x")).isEqualTo("2");
            assertThat(row("y")).isEqualTo("3");
        }

        @Test
        void includesUnitsWhoseRowHasChanged() {
            engine().submit(CommitUnit.of(rowPart(deposit("c", 1), "x", "1")));
            engine().submit(CommitUnit.of(rowPart(deposit("d", 1), "y", "1")));
            recording.before("lockHead", () -> {
                other.submit(CommitUnit.of(rowPart(deposit("e", 1), "x", "0")));
                other.commit();
            });

            assertThat(decidedIn(() -> engine().commit())).isEqualTo(2 + 1);

            assertThat(row("x")).isEqualTo("01");
            assertThat(row("y")).isEqualTo("1");
        }

        @Test
        void includesRepetitionOfConflictingCommand() {
            CompletableFuture<CommandResult> first = engine().submit("pay", withdraw("a", 5));
            CompletableFuture<CommandResult> repeated = engine().submit("pay", withdraw("a", 5));
            other.run(deposit("a", 1));

            engine().commit();

            assertThat(first.join().events()).hasSize(1);
            assertThat(repeated.join().duplicate()).isTrue();
            assertThat(repeated.join().events()).isEqualTo(first.join().events());
            assertThat(newEngine().balance("a")).isEqualTo(6);
        }

        @Test
        void includesRepetitionOfCommandThatIsRejectedNow() {
            CompletableFuture<CommandResult> first = engine().submit("pay", withdraw("a", 10));
            CompletableFuture<CommandResult> repeated = engine().submit("pay", withdraw("a", 10));
            other.run(withdraw("a", 1));

            engine().commit();

            assertThat(failure(first)).isInstanceOf(Overdrawn.class);
            assertThat(failure(repeated)).isInstanceOf(Overdrawn.class);
            assertThat(recording.calls()).containsOnlyOnce("open");
        }

        @Test
        void writesSnapshotsOfNewestState() {
            IntStream.range(0, 3).forEach(i -> engine().run(deposit("a", 1)));
            other.run(deposit("a", 100));

            engine().run(deposit("a", 1));

            assertThat(newEngine().balance("a")).isEqualTo(114);
            assertThat(store().eventLog()
                            .findSnapshot(Accounts.STREAM, "a")
                            .orElseThrow()
                            .version())
                    .isEqualTo(5);
        }

        private Part rowPart(Decision decision, String row, String text) {
            return new Part(newPartId(), Metadata.none(), List.of(decision), List.of(append(row, text)), false);
        }
    }

    @Nested
    class UnderTheHeadLock {

        @Test
        void loadsAllChangedKeysWithOneQueryOfTheSession() {
            IntStream.range(0, 10).forEach(i -> engine().run(deposit("k" + i, 1)));
            IntStream.range(0, 10).forEach(i -> other.submit(deposit("k" + i, 1)));
            other.commit();
            IntStream.range(0, 10).forEach(i -> engine().submit(deposit("k" + i, 1)));
            recording.calls().clear();

            engine().commit();

            assertThat(recording.calls())
                    .containsExactly("open", "lockHead", "findChanged", "readKeys", "write", "commit", "close");
            IntStream.range(0, 10)
                    .forEach(i -> assertThat(newEngine().balance("k" + i)).isEqualTo(3));
        }

        @Test
        void readsNothingWithoutConflict() {
            engine().run(deposit("a", 1));

            assertThat(recording.calls())
                    .containsExactly("open", "lockHead", "findChanged", "write", "commit", "close");
        }

        @Test
        void readsKeyThatDecisionReadsOnlyNow() {
            assertThat(engine().balance("b")).isEqualTo(1);
            other.run(deposit("b", 7));
            other.run(withdraw("a", 9));

            engine().run(context -> {
                long copied = context.state(ACCOUNT, "a").amount() > 5
                        ? 0
                        : context.state(ACCOUNT, "b").amount();
                context.append(ACCOUNT, "c", new Deposited(copied));
            });

            assertThat(newEngine().balance("c")).isEqualTo(8);
        }

        /** The decision sees the effect of its own earlier run and would reject it. */
        @Test
        void returnsEventsOfCommandThatAnotherReplicaCommitsAfterTheLookup() {
            use(new EngineUnderTest(store(), recording, harness().clock(), 10));
            CompletableFuture<CommandResult> there = other.submit("pay", withdraw("a", 10));
            CompletableFuture<CommandResult> here = engine().submit("pay", withdraw("a", 10));
            recording.before("readKeys", () -> other.commit());

            engine().commit();

            assertThat(here.join().duplicate()).isTrue();
            assertThat(here.join().events()).isEqualTo(there.join().events());
        }
    }

    /** The decisions of a batch run as if keys without a cached state were new; one query verifies this. */
    @Nested
    class KeysWithoutCachedState {

        @Test
        void areLoadedWithOneQuery() {
            IntStream.range(0, 10).forEach(i -> engine().submit(deposit("new" + i, 1)));

            assertThat(decidedIn(() -> engine().commit())).isEqualTo(10);

            assertThat(recording.calls())
                    .containsExactly("open", "readKeys", "lockHead", "findChanged", "write", "commit", "close");
        }

        @Test
        void areDecidedAgainIfTheyExist() {
            other.run(deposit("x", 5));
            other.run(deposit("y", 5));
            CompletableFuture<CommandResult> allowed = engine().submit(withdraw("x", 5));
            CompletableFuture<CommandResult> dependent = engine().submit(transfer("x", "z", 1));
            CompletableFuture<CommandResult> alsoAllowed = engine().submit(withdraw("y", 5));
            CompletableFuture<CommandResult> untouched = engine().submit(deposit("new", 1));

            assertThat(decidedIn(() -> engine().commit())).isEqualTo(4 + 3);

            assertThat(List.of(allowed, alsoAllowed, untouched))
                    .allSatisfy(result -> assertThat(result.join().events()).hasSize(1));
            assertThat(failure(dependent)).isInstanceOf(Overdrawn.class);
            assertThat(newEngine().balance("x")).isZero();
            assertThat(recording.calls()).containsOnlyOnce("readKeys");
        }

        @Test
        void areLoadedByTheDecisionsThatReadThemOnlyNow() {
            other.run(deposit("x", 5));
            other.run(deposit("y", 7));
            engine().submit(deposit("new", 1));
            engine().submit(context -> {
                boolean exists = context.state(ACCOUNT, "x").amount() > 0;
                long copied = exists ? context.state(ACCOUNT, "y").amount() : 0;
                context.append(ACCOUNT, "copy", new Deposited(copied));
            });

            engine().commit();

            assertThat(recording.calls())
                    .containsExactly(
                            "open", "readKeys", "readKeys", "lockHead", "findChanged", "write", "commit", "close");
            assertThat(newEngine().balance("copy")).isEqualTo(7);
        }

        @Test
        void areDecidedAgainIfAnotherReplicaCreatesThemAfterTheQuery() {
            engine().submit(deposit("new", 1));
            CompletableFuture<CommandResult> allowed = engine().submit(withdraw("x", 5));
            recording.before("lockHead", () -> other.run(deposit("x", 5)));

            engine().commit();

            assertThat(allowed.join().events()).hasSize(1);
            assertThat(newEngine().balance("x")).isZero();
        }

        @Test
        void areNotAssumedToBeNewIfTheQueryFails() {
            other.run(deposit("x", 5));
            CompletableFuture<CommandResult> first = engine().submit(withdraw("x", 5));
            CompletableFuture<CommandResult> second = engine().submit(withdraw("x", 5));
            recording.before("readKeys", () -> {
                throw new RetryableException("simulated");
            });

            engine().commit();

            assertThat(first.join().events()).hasSize(1);
            assertThat(failure(second)).isInstanceOf(Overdrawn.class);
        }
    }

    /** Every batch is decided as if its units ran one after another on the newest state. */
    @Nested
    class RandomBatches {

        private static final int ACCOUNTS = 6;
        private static final int ROUNDS = 60;

        private final Random random = new Random(Long.getLong("holdfast.seed", 4711));

        @Test
        void areSerializable() {
            List<EngineUnderTest> replicas = List.of(engine(), other);
            List<CompletableFuture<CommandResult>> results = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (EngineUnderTest replica : replicas) {
                    IntStream.range(0, random.nextInt(12)).forEach(i -> results.add(replica.submit(random())));
                }
                replicas.forEach(EngineUnderTest::commit);
            }

            assertThat(results).allSatisfy(result -> assertThat(result).isDone());
            assertThat(results.stream().filter(CompletableFuture::isCompletedExceptionally))
                    .as("some are rejected")
                    .isNotEmpty()
                    .allSatisfy(result -> assertThat(failure(result)).isInstanceOf(Overdrawn.class));
            long total = 0;
            for (int account = 0; account < ACCOUNTS; account++) {
                String key = "r" + account;
                assertNeverOverdrawn(key);
                total += newEngine().balance(key);
                assertThat(engine().balance(key)).isEqualTo(newEngine().balance(key));
            }
            long deposited = results.stream()
                    .filter(result -> !result.isCompletedExceptionally())
                    .map(CompletableFuture::join)
                    .filter(result -> result.events().size() == 1)
                    .count();
            assertThat(total).as("transfers keep the total").isEqualTo(deposited);
        }

        private Decision random() {
            String from = "r" + random.nextInt(ACCOUNTS);
            String to = "r" + random.nextInt(ACCOUNTS);
            return random.nextInt(4) == 0 ? deposit(from, 1) : transfer(from, to, 1 + random.nextInt(3));
        }

        private void assertNeverOverdrawn(String key) {
            long balance = 0;
            for (EventMessage event : store().eventLog().readKey(Accounts.STREAM, key, 0, 100_000)) {
                balance += event.type().equals("Deposited")
                        ? codec.decode(event.payload(), Deposited.class).amount()
                        : -codec.decode(event.payload(), Accounts.Withdrawn.class)
                                .amount();
                assertThat(balance).isNotNegative();
            }
        }
    }
}

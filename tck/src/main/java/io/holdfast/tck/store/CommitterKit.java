package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.transfer;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Accounts.Balance;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How the committer decides, on every store. {@link CommitStoreKit} states what it expects of a store. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class CommitterKit extends EngineKit {

    @Nested
    class Deciding {

        @Test
        void seesEffectsOfEarlierUnitsInBatch() {
            engine().submit(deposit("a", 10));
            CompletableFuture<CommandResult> first = engine().submit(withdraw("a", 6));
            CompletableFuture<CommandResult> second = engine().submit(withdraw("a", 6));

            engine().commit();

            assertThat(first.join().events()).hasSize(1);
            assertThat(failure(second)).isInstanceOf(Overdrawn.class);
            assertThat(engine().balance("a")).isEqualTo(4);
            assertThat(engine().committer().statistics().commits()).isEqualTo(1);
        }

        @Test
        void seesItsOwnAppends() {
            engine().run(context -> {
                context.append(ACCOUNT, "a", new Deposited(3));
                assertThat(context.state(ACCOUNT, "a").amount()).isEqualTo(3);
                assertThat(context.version(ACCOUNT, "a")).isEqualTo(1);
                context.append(ACCOUNT, "a", new Deposited(4));
            });

            assertThat(engine().balance("a")).isEqualTo(7);
        }

        @Test
        void isAtomicAcrossKeys() {
            engine().run(deposit("a", 10));
            CompletableFuture<CommandResult> tooMuch = engine().submit(transfer("a", "b", 11));
            CompletableFuture<CommandResult> fine = engine().submit(transfer("a", "b", 10));

            engine().commit();

            assertThat(failure(tooMuch)).isInstanceOf(Overdrawn.class);
            assertThat(fine.join().events()).hasSize(2);
            assertThat(engine().balance("a")).isZero();
            assertThat(engine().balance("b")).isEqualTo(10);
        }

        @Test
        void rejectsUnstorableEventWithoutAffectingOtherUnits() {
            CompletableFuture<CommandResult> huge =
                    engine().submit(context -> context.append(ACCOUNT, "a", new Noted("x".repeat(300_000))));
            CompletableFuture<CommandResult> unknown =
                    engine().submit(context -> context.append(ACCOUNT, "a", new Noted("not an account's event")));
            CompletableFuture<CommandResult> fine = engine().submit(deposit("a", 1));

            engine().commit();

            assertThat(failure(huge)).isInstanceOf(PermanentException.class).hasMessageContaining("max-event-size");
            assertThat(failure(unknown)).isInstanceOf(PermanentException.class).hasMessageContaining("Noted");
            assertThat(fine.join().events()).hasSize(1);
        }

        @Test
        void survivesDecisionThatThrowsLibraryError() {
            CompletableFuture<CommandResult> broken = engine().submit(context -> {
                throw new ServiceConfigurationError("no such provider");
            });
            CompletableFuture<CommandResult> fine = engine().submit(deposit("a", 1));

            engine().commit();

            assertThat(failure(broken)).isInstanceOf(ServiceConfigurationError.class);
            assertThat(fine.join().events()).hasSize(1);
        }

        @Test
        void survivesDecisionThatRecursesEndlessly() {
            CompletableFuture<CommandResult> endless = engine().submit(endless());
            CompletableFuture<CommandResult> fine = engine().submit(deposit("a", 1));

            engine().commit();

            assertThat(failure(endless)).isInstanceOf(StackOverflowError.class);
            assertThat(fine.join().events()).hasSize(1);
        }

        @SuppressWarnings("InfiniteRecursion") // on purpose
        private Decision endless() {
            return new Decision() {
                @Override
                public void decide(DecisionContext context) {
                    decide(context);
                }
            };
        }
    }

    @Nested
    class Parts {

        @Test
        void areReturnedTogetherWhenTheyThrowAndTheirUnitIsNotStored() {
            Part fine = part(deposit("a", 1));
            Part overdrawn = part(withdraw("b", 1));
            Part broken = part(context -> {
                throw new IllegalStateException("broken");
            });

            CompletableFuture<UnitOutcome> result = engine().submit(unit(List.of(fine, overdrawn, broken)));
            engine().commit();

            assertThat(result.join()).isInstanceOfSatisfying(UnitOutcome.PartsFailed.class, failed -> assertThat(
                            failed.failures().keySet())
                    .containsExactly(overdrawn.id(), broken.id()));
            assertThat(store().eventLog().position()).isZero();
            assertThat(token().version()).isZero();
        }

        @Test
        void commitWhenUnitIsRebuiltWithoutFailedParts() {
            Part fine = part(deposit("a", 1));
            Part overdrawn = part(withdraw("b", 1));
            engine().submit(unit(List.of(fine, overdrawn)));
            engine().commit();

            CompletableFuture<UnitOutcome> result = engine().submit(unit(List.of(fine)));
            engine().commit();

            assertThat(result.join()).isInstanceOf(UnitOutcome.Committed.class);
            assertThat(engine().balance("a")).isEqualTo(1);
            assertThat(token().version()).isEqualTo(1);
        }

        @Test
        void deriveSameEventIdsInEveryRun() {
            Part part = part(transferOf(3));

            engine().submit(CommitUnit.of(part));
            engine().commit();

            assertThat(store().eventLog().readAll(0, 10))
                    .extracting(EventMessage::id)
                    .containsExactly(
                            part.id().eventId(0),
                            part.id().eventId(1),
                            part.id().eventId(2));
        }

        private Decision transferOf(int events) {
            return context ->
                    IntStream.range(0, events).forEach(i -> context.append(ACCOUNT, "a", new Deposited(i + 1)));
        }
    }

    @Nested
    class Deduplication {

        @Test
        void returnsSameEventsForRepeatedIdempotencyKey() {
            CompletableFuture<CommandResult> first = engine().submit("pay", deposit("a", 10));
            engine().commit();
            CompletableFuture<CommandResult> second = engine().submit("pay", deposit("a", 10));
            engine().commit();

            assertThat(second.join().events()).isEqualTo(first.join().events());
            assertThat(first.join().duplicate()).isFalse();
            assertThat(second.join().duplicate()).isTrue();
            assertThat(engine().balance("a")).isEqualTo(10);
        }

        @Test
        void returnsSameEventsWithinOneBatch() {
            List<CompletableFuture<CommandResult>> results = Stream.generate(
                            () -> engine().submit("pay", transferTwice()))
                    .limit(10)
                    .toList();

            engine().commit();

            List<EventMessage> events = results.get(0).join().events();
            assertThat(events).hasSize(2);
            assertThat(results)
                    .allSatisfy(result -> assertThat(result.join().events()).isEqualTo(events));
            assertThat(results.stream().filter(result -> result.join().duplicate()))
                    .hasSize(9);
            assertThat(engine().committer().statistics().commits()).isEqualTo(1);
            assertThat(engine().committer().statistics().conflicts()).isZero();
        }

        @Test
        void returnsAllEventsOfLargeCommand() {
            Decision many = context ->
                    IntStream.range(0, 40).forEach(i -> context.append(ACCOUNT, "k" + i % 3, new Deposited(i)));
            CompletableFuture<CommandResult> first = engine().submit("many", many);
            engine().commit();

            CompletableFuture<CommandResult> second = newEngine().submit("many", many);
            CompletableFuture<CommandResult> third = engine().submit("many", many);
            engine().commit();

            assertThat(second).isNotDone();
            assertThat(third.join().events()).hasSize(40).isEqualTo(first.join().events());
        }

        @Test
        void returnsSameEventsOnAnotherReplica() {
            EngineUnderTest other = otherReplica();
            CompletableFuture<CommandResult> first = engine().submit("pay", deposit("a", 10));
            CompletableFuture<CommandResult> second = other.submit("pay", deposit("a", 10));

            engine().commit();
            other.commit();

            assertThat(second.join().duplicate()).isTrue();
            assertThat(second.join().events()).isEqualTo(first.join().events());
        }

        private Decision transferTwice() {
            return context -> {
                context.append(ACCOUNT, "a", new Deposited(1));
                context.append(ACCOUNT, "b", new Deposited(1));
            };
        }
    }

    @Nested
    class AppendListeners {

        private final List<Set<String>> appendedStreams = new ArrayList<>();

        @BeforeEach
        void registerListener() {
            engine().committer().onAppend(appendedStreams::add);
        }

        @Test
        void areNotifiedOfStreamsOnceTheirEventsAreReadable() {
            List<Long> readable = new ArrayList<>();
            engine().committer()
                    .onAppend(streams -> readable.add(store().eventLog().position()));

            engine().run(deposit("a", 10));

            assertThat(appendedStreams).containsExactly(Set.of(Accounts.STREAM));
            assertThat(readable).containsExactly(1L);
        }

        @Test
        void doNotAffectCommitOrOtherListenersWhenTheyFail() {
            List<Set<String>> later = new ArrayList<>();
            engine().committer().onAppend(streams -> {
                throw new IllegalStateException("the listener fails");
            });
            engine().committer().onAppend(later::add);

            engine().run(deposit("a", 10));

            assertThat(engine().balance("a")).isEqualTo(10);
            assertThat(store().eventLog().position()).isEqualTo(1);
            assertThat(later).containsExactly(Set.of(Accounts.STREAM));
        }

        @Test
        void areNotNotifiedWithoutNewEvents() {
            engine().submit(CommitUnit.of(
                    new Part(newPartId(), Metadata.none(), List.of(), List.of(append("x", "a row")), false)));
            CompletableFuture<CommandResult> rejected = engine().submit(withdraw("a", 1));
            engine().commit();

            assertThat(rejected).isCompletedExceptionally();
            assertThat(row("x")).isEqualTo("a row");
            assertThat(appendedStreams).isEmpty();
        }
    }

    @Nested
    class Rows {

        @Test
        void areUpdatedOnNewestRowWithinPartUnitAndBatch() {
            Part first = new Part(
                    newPartId(), Metadata.none(), List.of(), List.of(append("x", "1"), append("x", "2")), false);
            Part second = new Part(newPartId(), Metadata.none(), List.of(), List.of(append("x", "3")), false);
            Part third = new Part(newPartId(), Metadata.none(), List.of(), List.of(append("x", "4")), false);

            engine().submit(unit(List.of(first, second)));
            engine().submit(CommitUnit.of(third));
            engine().commit();

            assertThat(row("x")).isEqualTo("1234");
        }

        @Test
        void areRemovedByNullAndCanBeWrittenAgain() {
            update(append("x", "old"));
            update(new RowUpdate<>(BOARD, "x", row -> null));
            assertThat(new ViewRows(store().viewStore(), codec).find(BOARD, "x"))
                    .isEmpty();

            update(append("x", "new"));

            assertThat(row("x")).isEqualTo("new");
        }

        @Test
        void areWrittenEvenWhenChangedInPlace() {
            View<List<String>> lists = listView();
            for (String text : List.of("1", "2")) {
                RowUpdate<List<String>> inPlace = new RowUpdate<>(lists, "x", row -> {
                    List<String> list = row == null ? new ArrayList<>() : row;
                    list.add(text);
                    return list;
                });
                engine().submit(CommitUnit.of(
                        new Part(newPartId(), Metadata.none(), List.of(), List.of(inPlace), false)));
                engine().commit();
            }

            assertThat(new ViewRows(store().viewStore(), codec).find(lists, "x"))
                    .contains(List.of("1", "2"));
        }

        @SuppressWarnings("unchecked") // a class literal has no type argument
        private View<List<String>> listView() {
            return new View<>("lists", (Class<List<String>>) (Class<?>) ArrayList.class);
        }

        @Test
        void areNotChangedByPartThatThrows() {
            Part broken =
                    new Part(newPartId(), Metadata.none(), List.of(withdraw("a", 1)), List.of(append("x", "1")), false);

            engine().submit(CommitUnit.of(broken));
            engine().commit();

            assertThat(store().viewStore().page("board", "", 10)).isEmpty();
        }

        private void update(RowUpdate<Noted> update) {
            engine().submit(CommitUnit.of(new Part(newPartId(), Metadata.none(), List.of(), List.of(update), false)));
            engine().commit();
        }
    }

    @Nested
    class OutboxStreams {

        private static final AggregateType<Balance> VAULT = AggregateType.of("vaults", Balance.class, new Balance(0))
                .on(Deposited.class, (balance, event) -> new Balance(balance.amount() + event.amount()))
                .build();

        @Test
        void rejectOnlyTheAppendToStreamThatBecameOutboxStreamAfterTheCheck() {
            CompletableFuture<CommandResult> before =
                    engine().submit(context -> context.append(VAULT, "v", new Deposited(1)));
            CompletableFuture<CommandResult> rejected = engine().submit(deposit("a", 1));
            CompletableFuture<CommandResult> after =
                    engine().submit(context -> context.append(VAULT, "v", new Deposited(2)));
            harness()
                    .crashPoints()
                    .runAt(new CrashPoints.Moment(CommitPoint.WRITE_EVENTS, false), this::writeOutboxEntry);

            engine().commit();

            assertThat(failure(rejected))
                    .isInstanceOf(PermanentException.class)
                    .hasMessage("stream accounts is an outbox stream; a stream is either event-sourced or an outbox"
                            + " stream, never both. Use another stream");
            assertThat(before.join().events()).hasSize(1);
            assertThat(after.join().events()).hasSize(1);
            assertThat(engine().controller().state(VAULT, "v").amount()).isEqualTo(3);
            assertThat(store().outboxStore().assignPositions(10)).isEqualTo(1);
            assertThat(store().eventLog().readAll(0, 10))
                    .extracting(event -> event.stream() + "/" + event.key() + "#" + event.version())
                    .containsExactly("vaults/v#1", "vaults/v#2", "accounts/row#1");
        }

        /** A user transaction does not wait for the head row, so it may commit while a batch is being written. */
        private void writeOutboxEntry() {
            NewEvent event = new NewEvent(codec.encode(new Noted("row")), Metadata.none());
            harness().inTransaction(() -> store().outboxStore().write(Accounts.STREAM, "row", event));
        }
    }

    @Nested
    class Snapshots {

        @Test
        void yieldSameStateAsFullFold() {
            for (int i = 1; i <= 12; i++) {
                engine().run(deposit("a", i));
            }

            assertThat(store().eventLog()
                            .findSnapshot("accounts", "a")
                            .orElseThrow()
                            .version())
                    .isEqualTo(10);
            assertThat(newEngine().balance("a")).isEqualTo(78);
        }

        @Test
        void areWrittenWhenUnitPassesSnapshotInterval() {
            engine().run(context -> IntStream.range(0, 7).forEach(i -> context.append(ACCOUNT, "a", new Deposited(1))));

            assertThat(store().eventLog()
                            .findSnapshot("accounts", "a")
                            .orElseThrow()
                            .version())
                    .isEqualTo(7);
            assertThat(newEngine().balance("a")).isEqualTo(7);
        }
    }
}

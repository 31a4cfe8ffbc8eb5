package io.holdfast.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.LetterItem;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.ReceiptQuery;
import io.holdfast.action.Requester;
import io.holdfast.action.Settlement;
import io.holdfast.action.Staging;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.ResolvedLetter.Status;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.StoreWriter;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link ActionStore}. */
public abstract class ActionStoreKit extends StoreKit {

    private static final String CONSUMER = "copier";
    private static final String COMPONENT = StoreHarness.SERVICE + "/copier/copies";
    private static final Segment SEGMENT = new Segment(CONSUMER, 0);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration QUARTER = Duration.ofDays(90);
    private static final int ALL = 1_000;

    private ActionStore actions() {
        return store().actionStore();
    }

    private SequencedDeadLetterQueue queue() {
        return new SequencedDeadLetterQueue(
                store().deadLetterStore(),
                "queue",
                CONSUMER,
                COMPONENT,
                QueueLimits.DEFAULT,
                harness().clock());
    }

    /** Parks one event per key, each in a sequence of its own. */
    private DeadLetter park(String key) {
        EventMessage event = writer().append("input", key, 1);
        queue().enqueue("input/" + key, event, Cause.of(new IllegalStateException("cannot copy " + key)));
        return queue().findLetter(event.id()).orElseThrow();
    }

    private static LetterItem item(DeadLetter letter) {
        SequenceId sequence = letter.sequence();
        return new LetterItem(sequence, letter.message().id(), CONSUMER, Segments.hash(sequence.sequence()));
    }

    private static Action action(String id, Kind kind, DeadLetter... letters) {
        return StagedActions.action(
                id, kind, List.of(letters).stream().map(ActionStoreKit::item).toList());
    }

    private static Action operation(String id, Kind kind, String name) {
        return StagedActions.action(id, kind, List.of(new OperationItem("processor", name)));
    }

    private static Action replay(String id, DeadLetter... letters) {
        return action(id, Kind.REPLAY, letters);
    }

    private Receipt staged(Action action) {
        Staging staging = actions().stage(action);
        assertThat(staging).isInstanceOf(Staging.Staged.class);
        return ((Staging.Staged) staging).receipt();
    }

    private Receipt receipt(String id) {
        Receipt receipt = actions().find(List.of(id)).get(0);
        long settled =
                List.of(Outcome.values()).stream().mapToLong(receipt::count).sum();
        assertThat(receipt.open() + settled).as("totals of %s", receipt).isEqualTo(receipt.selected());
        return receipt;
    }

    private List<LetterOutcome> outcomes(String id) {
        receipt(id);
        return StagedActions.outcomes(actions(), id);
    }

    private LetterOutcome outcome(String id) {
        return outcomes(id).get(0);
    }

    private Receipt.Result result(String id) {
        return Objects.requireNonNull(actions().findItems(id, 0, 1).get(0).result());
    }

    /** Commits letter writes in the unit of the segment's owner. */
    private void commit(LetterWrites letters) {
        StreamPosition start = StreamPosition.beginning(store().eventLog().identity());
        Token token = store().tokenStore().initialize(SEGMENT, Map.of("input", start));
        TokenClaim claim = store().tokenStore()
                .claim(SEGMENT, "kit", Duration.ofMinutes(10))
                .orElseThrow();
        writer().commit(StoreWriter.letters(TokenAdvances.next(claim, token.version(), Map.of()), letters));
    }

    private static LetterWrites removal(DeadLetter letter, LetterOutcome outcome, ResolvedLetter... resolved) {
        return new LetterWrites(List.of(), List.of(), List.of(letter.id()), List.of(), List.of(letter.sequence()))
                .withOutcomes(List.of(outcome))
                .withResolved(List.of(resolved));
    }

    private ResolvedLetter resolved(DeadLetter letter, Status status) {
        ParkedSequence sequence =
                store().deadLetterStore().find(letter.sequence()).orElseThrow();
        return ResolvedLetter.of(letter, sequence, status, null);
    }

    /** Asserts that the letter was removed as a whole, by an action. */
    private void assertResolved(DeadLetter letter, Status status, String action) {
        assertThat(actions().findResolved(COMPONENT, letter.message().id())).hasValueSatisfying(resolved -> {
            assertThat(resolved.letter()).isEqualTo(letter);
            assertThat(resolved.status()).isEqualTo(status);
            assertThat(resolved.action()).isEqualTo(action);
            assertThat(resolved.resolvedAt()).isNotNull();
        });
    }

    private static LetterOutcome applied(DeadLetter letter) {
        return LetterOutcome.of(letter, Outcome.APPLIED).withAppended(1);
    }

    private static LetterWrites failure(DeadLetter letter) {
        return LetterWrites.NONE.withOutcomes(
                List.of(LetterOutcome.of(letter, Outcome.FAILED_AGAIN, null, letter.cause())));
    }

    @Nested
    class Staged {

        @Test
        void actionHasAReceiptWithOpenItems() {
            DeadLetter one = park("a");
            DeadLetter other = park("b");

            Receipt receipt = staged(replay("ana/1", one, other));

            assertThat(receipt(receipt.action())).isEqualTo(receipt);
            assertThat(receipt.kind()).isEqualTo(Kind.REPLAY);
            assertThat(receipt.target()).isEqualTo("target of ana/1");
            assertThat(receipt.requester()).isEqualTo(StagedActions.ANA);
            assertThat(receipt.state()).isEqualTo(Receipt.State.ACTIVE);
            assertThat(receipt.endedAt()).isNull();
            assertThat(receipt.selected()).isEqualTo(2);
            assertThat(receipt.open()).isEqualTo(2);
            assertThat(receipt.isDone()).isFalse();
            assertThat(actions().findItems("ana/1", 0, ALL))
                    .containsExactly(new Receipt.Item(0, item(one), null), new Receipt.Item(1, item(other), null));
            assertThat(receipt.deadline()).isEqualTo(receipt.requestedAt().plus(Action.TIME_TO_LIVE));
        }

        @Test
        void actionKeepsItsOptions() {
            Action action =
                    operation("1", Kind.RESET, "orders").withOptions(Map.of("from", "earliest", "force", "true"));

            assertThat(staged(action).options()).isEqualTo(Map.of("from", "earliest", "force", "true"));

            assertThat(receipt("1").options()).isEqualTo(action.options());
        }

        @Test
        void actionOfCodeHasNoRole() {
            staged(Action.of("1", Kind.PAUSE, "processor orders", "hash", Requester.CODE, List.of()));

            assertThat(receipt("1").requester()).isEqualTo(Requester.CODE);
        }

        @Test
        void actionWithoutItemsIsDone() {
            Receipt receipt = staged(replay("1"));

            assertThat(receipt.isDone()).isTrue();
            assertThat(receipt.endedAt()).isEqualTo(receipt.requestedAt());
            assertThat(receipt("1")).isEqualTo(receipt);
        }

        @Test
        void operationHasOneOpenItem() {
            staged(operation("1", Kind.PAUSE, "orders"));

            assertThat(actions().stage(operation("2", Kind.RESET, "orders"))).isEqualTo(new Staging.InProgress("1"));

            staged(operation("3", Kind.RESET, "shipping"));
            actions().settle(actions().findOpen(1), Outcome.REFUSED, "no such processor", "r");
            staged(operation("4", Kind.RESET, "orders"));
        }

        @Test
        void sameActionReturnsTheReceipt() {
            DeadLetter letter = park("a");
            Receipt first = staged(replay("1", letter));

            assertThat(actions().stage(replay("1", letter))).isEqualTo(new Staging.Known(first));

            commit(removal(letter, applied(letter)));
            assertThat(actions().stage(replay("1", letter))).isEqualTo(new Staging.Known(receipt("1")));
        }

        @Test
        void sameIdWithAnotherRequestIsAConflict() {
            DeadLetter letter = park("a");
            Receipt first = staged(replay("1", letter));
            Action other = Action.of("1", Kind.DISCARD, "other", "other", StagedActions.ANA, List.of(item(letter)));

            assertThat(actions().stage(other)).isEqualTo(new Staging.OtherRequest(first));

            assertThat(receipt("1")).isEqualTo(first);
        }

        @Test
        void letterHasOneOpenItem() {
            DeadLetter locked = park("a");
            DeadLetter free = park("b");
            staged(replay("1", locked));

            assertThat(actions().stage(action("2", Kind.DISCARD, free, locked))).isEqualTo(new Staging.InProgress("1"));

            assertThat(actions().find(List.of("2"))).as("all or nothing").isEmpty();
            staged(replay("3", free));
            commit(failure(locked));
            staged(replay("4", locked));
        }

        @Test
        void lettersOfTwoComponentsAreDistinct() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            LetterItem sameEvent = new LetterItem(
                    new SequenceId(COMPONENT + "-other", "input/a"),
                    letter.message().id(),
                    CONSUMER,
                    0);

            staged(StagedActions.action("2", Kind.REPLAY, List.of(sameEvent)));
        }

        @Test
        void concurrentlyLetterGetsOneOpenItem() {
            for (int round = 0; round < 10; round++) {
                DeadLetter letter = park("k" + round);
                String prefix = round + "/";

                List<Staging> results = TestThreads.race(4, worker -> actions().stage(replay(prefix + worker, letter)));

                assertThat(results).filteredOn(Staging.Staged.class::isInstance).hasSize(1);
                assertThat(results)
                        .filteredOn(Staging.InProgress.class::isInstance)
                        .hasSize(3);
            }
        }

        @Test
        void concurrentlySameActionIsStagedOnce() {
            DeadLetter letter = park("a");

            List<Staging> results = TestThreads.race(4, worker -> actions().stage(replay("1", letter)));

            assertThat(results).filteredOn(Staging.Staged.class::isInstance).hasSize(1);
            assertThat(results).filteredOn(Staging.Known.class::isInstance).hasSize(3);
        }

        @Test
        void crashLeavesAllItemsOrNone() {
            DeadLetter one = park("a");
            DeadLetter other = park("b");
            for (Moment moment : Moment.of(CommitPoint.ACTION_STAGE)) {
                Crash.at(moment, harness(), () -> actions().stage(replay("1", one, other)));

                if (moment.after()) {
                    assertThat(receipt("1").open()).isEqualTo(2);
                } else {
                    assertThat(actions().find(List.of("1"))).isEmpty();
                    assertThat(actions().findOpen(ALL)).isEmpty();
                }
            }
        }

        @Test
        void otherReplicasSeeIt() {
            DeadLetter letter = park("a");
            Receipt staged = staged(replay("1", letter));

            assertThat(replica().actionStore().find(List.of("1", "unknown"))).containsExactly(staged);
            assertThat(replica().actionStore().findOpen(ALL)).hasSize(1);
        }
    }

    @Nested
    class Open {

        @Test
        void itemsAreFoundInTheOrderOfStaging() {
            DeadLetter a = park("a");
            DeadLetter b = park("b");
            DeadLetter c = park("c");
            staged(action("z", Kind.DISCARD, c));
            harness().passTime(Duration.ofSeconds(1));
            staged(replay("y", b, a));

            List<OpenItem> open = actions().findOpen(ALL);

            assertThat(open).extracting(OpenItem::item).containsExactly(item(c), item(b), item(a));
            assertThat(open).extracting(OpenItem::kind).containsExactly(Kind.DISCARD, Kind.REPLAY, Kind.REPLAY);
            assertThat(open).extracting(OpenItem::number).containsExactly(0, 0, 1);
            assertThat(open).extracting(OpenItem::isExpired).containsOnly(false);
            assertThat(actions().findOpen(2)).hasSize(2);
        }

        /** A replay may wait for a resume. */
        @Test
        void operationsAreFoundBeforeLetters() {
            staged(replay("1", park("a"), park("b")));
            harness().passTime(Duration.ofSeconds(1));
            staged(operation("2", Kind.RESUME, CONSUMER));

            assertThat(actions().findOpen(1))
                    .extracting(OpenItem::item)
                    .containsExactly(new OperationItem("processor", CONSUMER));
            assertThat(actions().findOpen(ALL)).extracting(OpenItem::action).containsExactly("2", "1", "1");
        }

        @Test
        void itemsAreRetainedWhileTheyMayStart() {
            DeadLetter settled = park("a");
            staged(replay("1", settled, park("b")));
            staged(operation("2", Kind.PAUSE, CONSUMER));
            List<OpenItem> open = actions().findOpen(ALL);
            commit(failure(settled));

            assertThat(actions().retainOpen(open)).containsExactly(open.get(0), open.get(2));
            assertThat(actions().retainOpen(List.of())).isEmpty();

            harness().passTime(Action.TIME_TO_LIVE);
            assertThat(actions().retainOpen(open)).isEmpty();
        }

        /** The letter has an open item, but of another action. */
        @Test
        void itemOfAnEarlierActionIsNotRetained() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            List<OpenItem> earlier = actions().findOpen(ALL);
            commit(failure(letter));
            staged(replay("2", letter));

            assertThat(actions().retainOpen(earlier)).isEmpty();
        }

        @Test
        void itemsAreNotFoundOnceSettled() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));

            commit(failure(letter));

            assertThat(actions().findOpen(ALL)).isEmpty();
            assertThat(receipt("1").isDone()).isTrue();
        }
    }

    @Nested
    class SettledByAUnit {

        @Test
        void itemHasTheOutcomeOfTheUnit() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));

            commit(removal(letter, applied(letter)));

            assertThat(outcome("1")).isEqualTo(applied(letter));
            assertThat(result("1").at()).isNotNull();
            assertThat(result("1").replica()).as("the owner of the segment").isEqualTo("kit");
            assertThat(receipt("1").endedAt()).isEqualTo(result("1").at());
        }

        @Test
        void itemKeepsTheCauseOfAFailure() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));

            commit(failure(letter));

            assertThat(outcome("1").outcome()).isEqualTo(Outcome.FAILED_AGAIN);
            assertThat(outcome("1").cause()).isEqualTo(letter.cause());
        }

        @Test
        void itemIsSettledOnce() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            commit(failure(letter));

            commit(removal(letter, applied(letter)));

            assertThat(outcome("1").outcome()).isEqualTo(Outcome.FAILED_AGAIN);
        }

        @Test
        void otherItemsStayOpen() {
            DeadLetter letter = park("a");
            staged(replay("1", letter, park("b")));
            staged(replay("2", park("c")));

            commit(removal(letter, applied(letter)));

            assertThat(receipt("1").open()).isEqualTo(1);
            assertThat(receipt("2").open()).isEqualTo(1);
        }

        /** The letter stays parked, so the discard is still to be done. */
        @Test
        void discardIsNotSettledByAFailedAttempt() {
            DeadLetter letter = park("a");
            staged(action("1", Kind.DISCARD, letter));

            commit(failure(letter));
            assertThat(receipt("1").isDone()).isFalse();

            commit(removal(letter, applied(letter)));
            assertThat(outcome("1").outcome()).isEqualTo(Outcome.APPLIED);
        }

        @Test
        void rejectedUnitSettlesNothing() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            StreamPosition start = StreamPosition.beginning(store().eventLog().identity());
            store().tokenStore().initialize(SEGMENT, Map.of("input", start));
            TokenClaim stale = store().tokenStore()
                    .claim(SEGMENT, "kit", Duration.ofMinutes(10))
                    .orElseThrow();

            assertThat(writer().rejections(StoreWriter.letters(
                            TokenAdvances.next(stale, 4711, Map.of()), removal(letter, applied(letter)))))
                    .hasSize(1);

            assertThat(receipt("1").isDone()).isFalse();
        }

        /** The outcome and the effect are durable together, or neither is. */
        @Test
        void crashSettlesTheItemOnlyIfTheLetterIsRemoved() {
            int number = 0;
            for (Moment moment : Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_LETTERS, CommitPoint.WRITE_OUTCOMES, CommitPoint.COMMIT)) {
                DeadLetter letter = park("k" + number);
                String id = "action-" + number++;
                staged(replay(id, letter));
                Crash.at(moment, harness(), () -> commit(removal(letter, applied(letter))));

                boolean isRemoved = queue().findLetter(letter.message().id()).isEmpty();
                assertThat(receipt(id).isDone()).as("%s", moment).isEqualTo(isRemoved);
            }
        }
    }

    @Nested
    class AlsoHandled {

        private LetterWrites follows(DeadLetter letter, String action) {
            return removal(
                    letter, applied(letter), resolved(letter, Status.REPLAYED).replayedBy(action));
        }

        @Test
        void areLettersThatFollowed() {
            DeadLetter letter = park("a");
            DeadLetter second = park("b");
            DeadLetter third = park("c");
            staged(replay("1", letter));
            staged(replay("other", park("d")));

            commit(follows(letter, "1"));
            assertThat(receipt("1").alsoHandled()).isZero();
            commit(follows(second, "1"));
            commit(follows(third, "1"));

            assertThat(receipt("1").alsoHandled()).isEqualTo(2);
            assertThat(receipt("1").selected()).isEqualTo(1);
            assertThat(receipt("other").alsoHandled()).isZero();
        }

        @Test
        void isNoItemOfTheActionThatWasSettledBefore() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            actions().settle(actions().findOpen(ALL), Outcome.NOT_TRIED, null, "r");

            commit(follows(letter, "1"));

            assertThat(receipt("1").alsoHandled()).isZero();
        }

        @Test
        void isNoItemOfAnotherAction() {
            DeadLetter letter = park("a");
            DeadLetter second = park("b");
            staged(replay("1", letter));
            staged(replay("2", second));

            commit(follows(second, "1"));

            assertThat(outcome("2").outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(List.of(receipt("1"), receipt("2")))
                    .extracting(Receipt::alsoHandled)
                    .containsOnly(0L);
        }

        @Test
        void areCountedWhenTheirRecordsHaveExpired() {
            staged(replay("1", park("a")));
            commit(follows(park("b"), "1"));
            harness().passTime(WEEK.plusSeconds(1));

            actions().deleteExpired(QUARTER, WEEK, ALL);

            assertThat(receipt("1").alsoHandled()).isEqualTo(1);
        }

        @Test
        void crashCountsThemOnlyIfTheyAreRemoved() {
            staged(replay("1", park("a")));
            int removed = 0;
            for (Moment moment : Moment.of(CommitPoint.WRITE_OUTCOMES, CommitPoint.COMMIT)) {
                DeadLetter letter = park("k" + moment);
                Crash.at(moment, harness(), () -> commit(follows(letter, "1")));

                removed += queue().findLetter(letter.message().id()).isEmpty() ? 1 : 0;
                assertThat(receipt("1").alsoHandled()).as("%s", moment).isEqualTo(removed);
            }
        }
    }

    @Nested
    class SettledByAChange {

        @Test
        void ofLettersByADiscard() {
            DeadLetter letter = park("a");
            staged(action("1", Kind.DISCARD, letter));

            assertThat(queue().discard(letter)).isTrue();

            assertThat(outcome("1")).isEqualTo(LetterOutcome.of(letter, Outcome.DISCARDED));
            assertResolved(letter, Status.DISCARDED, "1");
        }

        @Test
        void ofLettersByAnEviction() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));

            queue().evict(letter);

            assertThat(outcome("1"))
                    .isEqualTo(LetterOutcome.of(letter, Outcome.DISCARDED, LetterOutcome.EVICTED, null));
        }

        @Test
        void ofTheProcessorByAReset() {
            DeadLetter cleared = park("a");
            StreamPosition start = StreamPosition.beginning(store().eventLog().identity());
            store().tokenStore().initialize(SEGMENT, Map.of("input", start));
            staged(replay("1", cleared));

            assertThat(store().tokenStore().reset(CONSUMER, 1, Map.of("input", start)))
                    .isTrue();

            assertThat(outcome("1")).isEqualTo(LetterOutcome.of(cleared, Outcome.CLEARED));
            assertResolved(cleared, Status.CLEARED, "1");
        }
    }

    @Nested
    class SettledWithoutAnAttempt {

        @Test
        void itemHasTheGivenOutcome() {
            DeadLetter letter = park("a");
            staged(replay("1", letter, park("b")));
            OpenItem first = actions().findOpen(ALL).get(0);

            actions().settle(List.of(first), Outcome.NOT_TRIED, LetterOutcome.BLOCKED, "r");
            actions().settle(List.of(first), Outcome.REFUSED, "too late", "other");

            assertThat(result("1").replica()).isEqualTo("r");
            assertThat(receipt("1").endedAt()).as("an item is open").isNull();
            assertThat(outcomes("1"))
                    .containsExactly(LetterOutcome.of(letter, Outcome.NOT_TRIED, LetterOutcome.BLOCKED, null));
        }

        @Test
        void itemOfALaterActionStaysOpen() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            List<OpenItem> first = actions().findOpen(ALL);
            commit(failure(letter));
            staged(replay("2", letter));

            actions().settle(first, Outcome.NOT_TRIED, LetterOutcome.BLOCKED, "r");

            assertThat(receipt("2").isDone()).isFalse();
        }

        @Test
        void crashSettlesAllOrNone() {
            staged(replay("1", park("a"), park("b")));
            for (Moment moment : Moment.of(CommitPoint.ACTION_SETTLE)) {
                Crash.at(moment, harness(), () -> actions()
                        .settle(actions().findOpen(ALL), Outcome.NOT_TRIED, LetterOutcome.BLOCKED, "r"));

                assertThat(receipt("1").open()).isEqualTo(moment.after() ? 0 : 2);
            }
        }
    }

    /** Items whose letters were removed just before the action was staged. */
    @Nested
    class Removed {

        private Outcome settle(DeadLetter letter) {
            String id = letter.message().id().toString();
            staged(replay(id, letter));
            actions().settleRemoved(actions().findOpen(ALL), "r");
            return outcome(id).outcome();
        }

        @Test
        void letterWithoutARecordWasApplied() {
            DeadLetter letter = park("a");
            commit(removal(letter, applied(letter)));

            assertThat(settle(letter)).isEqualTo(Outcome.ALREADY_APPLIED);
        }

        @Test
        void letterHasTheOutcomeOfItsRecord() {
            DeadLetter replayed = park("a");
            commit(removal(replayed, applied(replayed), resolved(replayed, Status.REPLAYED)));
            DeadLetter discarded = park("b");
            queue().discard(discarded);

            assertThat(settle(replayed)).isEqualTo(Outcome.ALREADY_APPLIED);
            assertThat(settle(discarded)).isEqualTo(Outcome.DISCARDED);
        }

        /** A reset handled the event again, which failed, was parked, and succeeded in an automatic retry. */
        @Test
        void recordOfAnEarlierParkingDoesNotCount() {
            DeadLetter letter = park("a");
            queue().discard(letter);
            queue().enqueue(
                            letter.sequence().sequence(),
                            letter.message(),
                            Cause.of(new IllegalStateException("again")));
            DeadLetter again = queue().findLetter(letter.message().id()).orElseThrow();
            commit(removal(again, applied(again)));

            assertThat(settle(again)).isEqualTo(Outcome.ALREADY_APPLIED);
        }

        @Test
        void parkedLetterStaysOpen() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));

            actions().settleRemoved(actions().findOpen(ALL), "r");

            assertThat(receipt("1").isDone()).isFalse();
        }
    }

    @Nested
    class Expired {

        private Token token() {
            StreamPosition start = StreamPosition.beginning(store().eventLog().identity());
            return store().tokenStore().initialize(SEGMENT, Map.of("input", start));
        }

        @Test
        void itemIsNotTried() {
            DeadLetter letter = park("a");
            long version = token().version();
            staged(replay("1", letter));
            harness().passTime(Action.TIME_TO_LIVE);
            assertThat(actions().findOpen(ALL)).extracting(OpenItem::isExpired).containsExactly(true);

            assertThat(actions().expire(ALL, "r")).isEqualTo(1);

            assertThat(outcome("1"))
                    .isEqualTo(LetterOutcome.of(letter, Outcome.NOT_TRIED, LetterOutcome.EXPIRED, null));
            assertThat(token().version())
                    .as("a unit that attempts the letter is rejected")
                    .isGreaterThan(version);
            assertThat(actions().expire(ALL, "r")).isZero();
        }

        @Test
        void itemsAreLimited() {
            token();
            staged(replay("1", park("a"), park("b"), park("c")));
            harness().passTime(Action.TIME_TO_LIVE);

            assertThat(actions().expire(2, "r")).isEqualTo(2);
            assertThat(actions().expire(2, "r")).isEqualTo(1);
        }

        @Test
        void isAnOperationToo() {
            staged(operation("1", Kind.PAUSE, CONSUMER));
            harness().passTime(Action.TIME_TO_LIVE);

            assertThat(actions().expire(ALL, "r")).isEqualTo(1);

            assertThat(result("1").outcome()).isEqualTo(Outcome.NOT_TRIED);
            assertThat(result("1").detail()).isEqualTo(LetterOutcome.EXPIRED);
        }

        @Test
        void isNoItemBeforeTheDeadline() {
            DeadLetter letter = park("a");
            long version = token().version();
            staged(replay("1", letter));
            harness().passTime(Action.TIME_TO_LIVE.minusSeconds(1));

            assertThat(actions().expire(ALL, "r")).isZero();

            assertThat(receipt("1").isDone()).isFalse();
            assertThat(token().version()).isEqualTo(version);
        }

        @Test
        void isNoItemWhenTheClockIsSetBack() {
            token();
            staged(replay("1", park("a")));

            harness().setStoreClock(Duration.ofHours(2).negated());

            assertThat(actions().expire(ALL, "r")).isZero();
            assertThat(actions().findOpen(ALL)).hasSize(1);
        }

        @Test
        void crashExpiresAllOrNone() {
            token();
            staged(replay("1", park("a"), park("b")));
            harness().passTime(Action.TIME_TO_LIVE);
            for (Moment moment : Moment.of(CommitPoint.ACTION_EXPIRE)) {
                Crash.at(moment, harness(), () -> actions().expire(ALL, "r"));

                assertThat(receipt("1").open()).isEqualTo(moment.after() ? 0 : 2);
            }
        }
    }

    @Nested
    class Stopped {

        private final Requester bob = new Requester("bob", "ADMIN", "wrong letters", null);

        private Token token() {
            StreamPosition start = StreamPosition.beginning(store().eventLog().identity());
            return store().tokenStore().initialize(SEGMENT, Map.of("input", start));
        }

        @Test
        void actionDoesNotTryWhatIsOpen() {
            DeadLetter done = park("a");
            DeadLetter open = park("b");
            staged(replay("1", done, open));
            commit(failure(done));
            long version = token().version();

            Receipt receipt = actions().stop("1", bob, "r").orElseThrow();

            assertThat(receipt).isEqualTo(receipt("1"));
            assertThat(receipt.state()).isEqualTo(Receipt.State.STOPPED);
            assertThat(Objects.requireNonNull(receipt.stopped()).by()).isEqualTo(bob);
            assertThat(receipt.requester()).isEqualTo(StagedActions.ANA);
            assertThat(receipt.isDone()).isTrue();
            assertThat(outcomes("1"))
                    .extracting(LetterOutcome::outcome)
                    .containsExactly(Outcome.FAILED_AGAIN, Outcome.NOT_TRIED);
            assertThat(outcomes("1").get(1).detail()).isEqualTo(LetterOutcome.STOPPED);
            assertThat(token().version())
                    .as("a unit that attempts the letter is rejected")
                    .isGreaterThan(version);
            staged(replay("2", open));
        }

        @Test
        void otherActionsContinue() {
            token();
            staged(replay("1", park("a")));
            staged(replay("2", park("b")));

            actions().stop("1", bob, "r");

            assertThat(actions().findOpen(ALL)).extracting(OpenItem::action).containsExactly("2");
        }

        @Test
        void isNoActionThatIsDoneOrUnknown() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            commit(failure(letter));
            Receipt before = receipt("1");

            assertThat(actions().stop("1", bob, "r")).contains(before);
            assertThat(actions().stop("unknown", bob, "r")).isEmpty();
        }

        @Test
        void firstRequesterCounts() {
            token();
            staged(replay("1", park("a")));
            Receipt stopped = actions().stop("1", bob, "r").orElseThrow();

            assertThat(actions().stop("1", StagedActions.ANA, "r")).contains(stopped);
        }

        @Test
        void operationDoesNotTakeEffectLater() {
            token();
            StagedActions staged = new StagedActions(actions());
            Settlement pause = staged.operation(Kind.PAUSE, CONSUMER);

            actions().stop(pause.action(), bob, "r");

            assertThatExceptionOfType(AlreadySettledException.class)
                    .isThrownBy(() -> store().tokenStore().setPaused(CONSUMER, true, pause));
            assertThat(token().setup().paused()).isFalse();
            assertThat(result(pause.action()).outcome()).isEqualTo(Outcome.NOT_TRIED);
        }

        /** Another replica settles the rest. */
        @Test
        void crashIsCompletedByTheNextExpiry() {
            token();
            staged(replay("1", park("a"), park("b")));
            Crash.before(CommitPoint.ACTION_EXPIRE, harness(), () -> actions().stop("1", bob, "r"));
            assertThat(receipt("1").state()).isEqualTo(Receipt.State.STOPPED);
            assertThat(actions().findOpen(ALL)).extracting(OpenItem::isExpired).containsExactly(true, true);

            assertThat(actions().expire(ALL, "other")).isEqualTo(2);

            assertThat(outcomes("1")).extracting(LetterOutcome::detail).containsOnly(LetterOutcome.STOPPED);
        }

        @Test
        void crashStopsAllOrNothing() {
            token();
            staged(replay("1", park("a")));
            for (Moment moment : Moment.of(CommitPoint.ACTION_STOP)) {
                Crash.at(moment, harness(), () -> actions().stop("1", bob, "r"));

                assertThat(receipt("1").state() == Receipt.State.STOPPED).isEqualTo(moment.after());
            }
        }
    }

    @Nested
    class Found {

        private List<String> found(ReceiptQuery query) {
            return actions().findReceipts(query).stream().map(Receipt::action).toList();
        }

        private final ReceiptQuery all = ReceiptQuery.newest(ALL);

        @Test
        void areReceiptsNewestFirst() {
            staged(replay("b", park("a")));
            harness().passTime(Duration.ofSeconds(1));
            staged(replay("a", park("b")));

            assertThat(actions().findReceipts(all)).containsExactly(receipt("a"), receipt("b"));
        }

        @Test
        void areReceiptsInPages() {
            for (int i = 0; i < 5; i++) {
                staged(operation("action-" + i, Kind.PAUSE, "p" + i));
                harness().passTime(Duration.ofSeconds(i % 2));
            }
            List<String> inOnePage = found(all);

            List<String> inPages = new ArrayList<>();
            List<Receipt> page = actions().findReceipts(ReceiptQuery.newest(2));
            while (!page.isEmpty()) {
                page.forEach(receipt -> inPages.add(receipt.action()));
                page = actions()
                        .findReceipts(ReceiptQuery.newest(2)
                                .after(page.get(page.size() - 1).cursor()));
            }

            assertThat(inPages).hasSize(5).isEqualTo(inOnePage);
        }

        @Test
        void areReceiptsByWhatWasRequested() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            staged(Action.of("2", Kind.PAUSE, "processor orders", "hash", Requester.CODE, List.of()));

            assertThat(found(all.byOperator("ana"))).containsExactly("1");
            assertThat(found(all.ofKind(Kind.PAUSE))).containsExactly("2");
            assertThat(found(all.ofTarget("processor orders"))).containsExactly("2");
            assertThat(found(all.ofComponent(COMPONENT))).containsExactly("1");
            assertThat(found(all.ofEvent(letter.message().id()))).containsExactly("1");
            assertThat(found(all.ofEvent(letter.message().id()).ofComponent(COMPONENT)))
                    .containsExactly("1");
            assertThat(found(all.byOperator("ana").ofKind(Kind.PAUSE))).isEmpty();
            assertThat(found(all.ofTarget("unknown"))).isEmpty();
        }

        @Test
        void areReceiptsThatAreOpenOrDone() {
            DeadLetter done = park("a");
            staged(replay("done", done));
            staged(replay("open", park("b")));
            commit(failure(done));

            assertThat(found(all.whichAreOpen(true))).containsExactly("open");
            assertThat(found(all.whichAreOpen(false))).containsExactly("done");
            assertThat(found(all)).hasSize(2);
        }

        @Test
        void areReceiptsOfATime() {
            staged(operation("1", Kind.PAUSE, "a"));
            harness().passTime(Duration.ofSeconds(10));
            staged(operation("2", Kind.PAUSE, "b"));
            harness().passTime(Duration.ofSeconds(10));
            staged(operation("3", Kind.PAUSE, "c"));

            assertThat(found(
                            all.between(receipt("2").requestedAt(), receipt("3").requestedAt())))
                    .containsExactly("2");
            assertThat(found(all.between(receipt("2").requestedAt(), null))).containsExactly("3", "2");
        }

        @Test
        void areItemsInPages() {
            DeadLetter a = park("a");
            DeadLetter b = park("b");
            DeadLetter c = park("c");
            staged(replay("1", a, b, c));
            commit(removal(b, applied(b)));

            assertThat(actions().findItems("1", 0, 2))
                    .extracting(Receipt.Item::item)
                    .containsExactly(item(a), item(b));
            assertThat(actions().findItems("1", 1, 5))
                    .extracting(Receipt.Item::isOpen)
                    .containsExactly(false, true);
            assertThat(actions().findItems("1", 3, 5)).isEmpty();
            assertThat(actions().findItems("unknown", 0, 5)).isEmpty();
        }
    }

    /** The transactions of token changes and groups have their own kits. */
    @Nested
    class SettledByAnOperation {

        private @Nullable StagedActions operations;

        private Settlement settlement(Kind kind) {
            return operations().operation(kind, "s-1");
        }

        private StagedActions operations() {
            if (operations == null) {
                operations = new StagedActions(actions());
            }
            return operations;
        }

        private UnitWrites unit(String key, Settlement... settlements) {
            return StoreWriter.events(writer().draft("output", key, 1)).withSettlements(List.of(settlements));
        }

        @Test
        void unitCommitsTheOutcomeWithItsEvents() {
            Settlement settlement = settlement(Kind.COMPENSATE_SAGA).withDetail("3 steps");

            writer().commit(unit("a", settlement));

            operations().assertApplied(settlement);
            assertThat(result(settlement.action()).detail()).isEqualTo("3 steps");
            assertThat(receipt(settlement.action()).isDone()).isTrue();
        }

        @Test
        void unitOfASettledItemIsRejected() {
            Settlement settlement = settlement(Kind.COMPENSATE_SAGA);
            operations().refuse(settlement);

            List<Rejection> rejections = writer().rejections(unit("a", settlement));

            assertThat(rejections).singleElement().satisfies(rejection -> {
                assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
                assertThat(rejection.cause()).isInstanceOf(AlreadySettledException.class);
            });
            assertThat(result(settlement.action()).outcome()).isEqualTo(Outcome.REFUSED);
        }

        @Test
        void twoUnitsOfABatchDoNotSettleTheSameItem() {
            Settlement settlement = settlement(Kind.SKIP_STEP);

            assertThat(writer().rejections(unit("a", settlement), unit("b", settlement)))
                    .extracting(Rejection::unit)
                    .containsExactly(1);
            assertThat(operations().isOpen(settlement)).isTrue();
        }

        @Test
        void unknownItemIsRejected() {
            Settlement unknown = new Settlement("unknown", 0, Outcome.APPLIED, null, "r");

            assertThat(writer().rejections(unit("a", unknown))).hasSize(1);
        }

        @Test
        void crashSettlesTheItemOnlyIfTheEventIsCommitted() {
            int number = 0;
            for (Moment moment : Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_OUTCOMES, CommitPoint.COMMIT)) {
                String key = "k" + number++;
                Settlement settlement = operations().operation(Kind.RETRY_STEP, key);
                Crash.at(moment, harness(), () -> writer().commit(unit(key, settlement)));

                boolean isCommitted =
                        !store().eventLog().readKey("output", key, 0, 1).isEmpty();
                assertThat(operations().isOpen(settlement)).as("%s", moment).isEqualTo(!isCommitted);
                operations().refuse(settlement);
            }
        }
    }

    @Nested
    class Deleted {

        @Test
        void areReceiptsAfterTheirRetention() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            queue().discard(letter);
            staged(replay("open", park("b")));
            assertThat(actions().deleteExpired(QUARTER, WEEK, ALL)).isFalse();

            harness().passTime(WEEK.plusSeconds(1));
            assertThat(actions().deleteExpired(QUARTER, WEEK, ALL)).isFalse();
            assertThat(actions().findResolved(COMPONENT, letter.message().id())).isEmpty();
            assertThat(actions().find(List.of("1"))).hasSize(1);

            harness().passTime(QUARTER);
            assertThat(actions().deleteExpired(QUARTER, WEEK, ALL)).isFalse();
            assertThat(actions().find(List.of("1", "open")))
                    .extracting(Receipt::action)
                    .containsExactly("open");
        }

        @Test
        void areAtMostAPageAtOnce() {
            for (int i = 0; i < 5; i++) {
                DeadLetter letter = park("k" + i);
                staged(replay("action-" + i, letter));
                commit(failure(letter));
            }
            harness().passTime(QUARTER.plusSeconds(1));

            for (int left = 5; left > 0; left -= 2) {
                assertThat(actions().findReceipts(ReceiptQuery.newest(ALL))).hasSizeGreaterThanOrEqualTo(left);
                actions().deleteExpired(QUARTER, WEEK, 2);
            }
            deleteAll(2);
            assertThat(actions().findReceipts(ReceiptQuery.newest(ALL))).isEmpty();
        }

        /** A receipt that has lost some of its items would not add up. */
        @Test
        void isAReceiptAsAWholeAlthoughItsItemsTakeSeveralPages() {
            DeadLetter[] letters =
                    IntStream.range(0, 5).mapToObj(i -> park("k" + i)).toArray(DeadLetter[]::new);
            staged(replay("1", letters));
            for (DeadLetter letter : letters) {
                commit(failure(letter));
            }
            harness().passTime(QUARTER.plusSeconds(1));

            actions().deleteExpired(QUARTER, WEEK, 2);

            assertThat(actions().find(List.of("1"))).isEmpty();
            assertThat(actions().findItems("1", 0, ALL)).isEmpty();
            assertThat(actions().findReceipts(ReceiptQuery.newest(ALL))).isEmpty();
            deleteAll(2);
            staged(replay("1", letters));
        }

        private void deleteAll(int limit) {
            for (int page = 0; actions().deleteExpired(QUARTER, WEEK, limit); page++) {
                assertThat(page).isLessThan(20);
            }
        }

        @Test
        void crashDeletesAllOrNothing() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            queue().discard(letter);
            harness().passTime(QUARTER.plusSeconds(1));
            for (Moment moment : Moment.of(CommitPoint.ACTION_DELETE)) {
                Crash.at(moment, harness(), () -> actions().deleteExpired(QUARTER, WEEK, ALL));

                assertThat(actions().find(List.of("1"))).hasSize(moment.after() ? 0 : 1);
                assertThat(actions()
                                .findResolved(COMPONENT, letter.message().id())
                                .isEmpty())
                        .isEqualTo(moment.after());
            }
        }
    }
}

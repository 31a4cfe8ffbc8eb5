package io.holdfast.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Staging;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.ResolvedLetter.Status;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints.Moment;
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
import java.util.List;
import java.util.Map;
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

    private static Action.Item item(DeadLetter letter) {
        SequenceId sequence = letter.sequence();
        return new Action.Item(sequence, letter.message().id(), CONSUMER, Segments.hash(sequence.sequence()));
    }

    private static Action action(String id, Kind kind, DeadLetter... letters) {
        return new Action(
                id,
                kind,
                "hash",
                "ana",
                Action.TIME_TO_LIVE,
                List.of(letters).stream().map(ActionStoreKit::item).toList());
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

    private LetterOutcome outcome(String id) {
        return receipt(id).outcomes().get(0);
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
            assertThat(receipt.operator()).isEqualTo("ana");
            assertThat(receipt.selected()).isEqualTo(2);
            assertThat(receipt.open()).isEqualTo(2);
            assertThat(receipt.isDone()).isFalse();
            assertThat(receipt.items()).extracting(Receipt.Item::letter).containsExactly(item(one), item(other));
            assertThat(receipt.deadline()).isEqualTo(receipt.requestedAt().plus(Action.TIME_TO_LIVE));
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
            Action other = new Action("1", Kind.DISCARD, "other", "ana", Action.TIME_TO_LIVE, List.of(item(letter)));

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
            Action.Item sameEvent = new Action.Item(
                    new SequenceId(COMPONENT + "-other", "input/a"),
                    letter.message().id(),
                    CONSUMER,
                    0);

            staged(new Action("2", Kind.REPLAY, "hash", "ana", Action.TIME_TO_LIVE, List.of(sameEvent)));
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
            assertThat(receipt("1").items().get(0).settledAt()).isNotNull();
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

            actions().settle(List.of(first), Outcome.NOT_TRIED, LetterOutcome.BLOCKED);
            actions().settle(List.of(first), Outcome.REFUSED, "too late");

            assertThat(receipt("1").outcomes())
                    .containsExactly(LetterOutcome.of(letter, Outcome.NOT_TRIED, LetterOutcome.BLOCKED, null));
        }

        @Test
        void itemOfALaterActionStaysOpen() {
            DeadLetter letter = park("a");
            staged(replay("1", letter));
            List<OpenItem> first = actions().findOpen(ALL);
            commit(failure(letter));
            staged(replay("2", letter));

            actions().settle(first, Outcome.NOT_TRIED, LetterOutcome.BLOCKED);

            assertThat(receipt("2").isDone()).isFalse();
        }

        @Test
        void crashSettlesAllOrNone() {
            staged(replay("1", park("a"), park("b")));
            for (Moment moment : Moment.of(CommitPoint.ACTION_SETTLE)) {
                Crash.at(moment, harness(), () -> actions()
                        .settle(actions().findOpen(ALL), Outcome.NOT_TRIED, LetterOutcome.BLOCKED));

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
            actions().settleRemoved(actions().findOpen(ALL));
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

            actions().settleRemoved(actions().findOpen(ALL));

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

            assertThat(actions().expire(ALL)).isEqualTo(1);

            assertThat(outcome("1"))
                    .isEqualTo(LetterOutcome.of(letter, Outcome.NOT_TRIED, LetterOutcome.EXPIRED, null));
            assertThat(token().version())
                    .as("a unit that attempts the letter is rejected")
                    .isGreaterThan(version);
            assertThat(actions().expire(ALL)).isZero();
        }

        @Test
        void itemsAreLimited() {
            token();
            staged(replay("1", park("a"), park("b"), park("c")));
            harness().passTime(Action.TIME_TO_LIVE);

            assertThat(actions().expire(2)).isEqualTo(2);
            assertThat(actions().expire(2)).isEqualTo(1);
        }

        @Test
        void isNoItemBeforeTheDeadline() {
            DeadLetter letter = park("a");
            long version = token().version();
            staged(replay("1", letter));
            harness().passTime(Action.TIME_TO_LIVE.minusSeconds(1));

            assertThat(actions().expire(ALL)).isZero();

            assertThat(receipt("1").isDone()).isFalse();
            assertThat(token().version()).isEqualTo(version);
        }

        @Test
        void isNoItemWhenTheClockIsSetBack() {
            token();
            staged(replay("1", park("a")));

            harness().setStoreClock(Duration.ofHours(2).negated());

            assertThat(actions().expire(ALL)).isZero();
            assertThat(actions().findOpen(ALL)).hasSize(1);
        }

        @Test
        void crashExpiresAllOrNone() {
            token();
            staged(replay("1", park("a"), park("b")));
            harness().passTime(Action.TIME_TO_LIVE);
            for (Moment moment : Moment.of(CommitPoint.ACTION_EXPIRE)) {
                Crash.at(moment, harness(), () -> actions().expire(ALL));

                assertThat(receipt("1").open()).isEqualTo(moment.after() ? 0 : 2);
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
            assertThat(actions().deleteExpired(QUARTER, WEEK, ALL)).isZero();

            harness().passTime(WEEK.plusSeconds(1));
            assertThat(actions().deleteExpired(QUARTER, WEEK, ALL)).isEqualTo(1);
            assertThat(actions().findResolved(COMPONENT, letter.message().id())).isEmpty();
            assertThat(actions().find(List.of("1"))).hasSize(1);

            harness().passTime(QUARTER);
            assertThat(actions().deleteExpired(QUARTER, WEEK, ALL)).isEqualTo(1);
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

            assertThat(actions().deleteExpired(QUARTER, WEEK, 2)).isEqualTo(2);
            assertThat(actions().deleteExpired(QUARTER, WEEK, 2)).isEqualTo(2);
            assertThat(actions().deleteExpired(QUARTER, WEEK, 2)).isEqualTo(1);
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

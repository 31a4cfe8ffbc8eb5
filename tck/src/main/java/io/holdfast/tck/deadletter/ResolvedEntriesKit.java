package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.action.Action;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Requester;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStatus;
import io.holdfast.deadletter.entry.GroupQuery;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which letters of a processor are entries once they are handled, and what their sequences keep until then. */
public abstract class ResolvedEntriesKit extends DeadLetterEngineKit {

    private static final EntryQuery RESOLVED = EntryQuery.of(EntryStatus.REPLAYED, EntryStatus.DISCARDED);
    private static final EntryQuery PARKED = EntryQuery.of(EntryStatus.PENDING, EntryStatus.RETRYING, EntryStatus.HELD);

    private List<Entry> find(EntryQuery query) {
        return store().entryStore().find(query).entries();
    }

    /** Returns the texts of resolved letters, in the order in which they were appended. */
    private List<String> resolved(EntryStatus status) {
        return find(EntryQuery.of(status)).stream()
                .map(entry -> store().entryStore()
                        .find(entry.component(), entry.event().id())
                        .orElseThrow()
                        .letter())
                .map(letter -> texts(List.of(letter.message())).get(0))
                .sorted()
                .toList();
    }

    private void replay(CopyingReplica replica, String id, DeadLetter letter) {
        Action action = Action.of(
                id,
                Action.Kind.REPLAY,
                "an entry",
                "hash",
                Requester.CODE,
                List.of(LetterItem.of(
                        letter,
                        store().deadLetterStore().find(letter.sequence()).orElseThrow())));
        var unused = replica.processor().stage(action);
        run(replica);
    }

    private static List<String> actions(List<Entry> entries) {
        return entries.stream()
                .map(entry -> String.valueOf(
                        Objects.requireNonNull(entry.resolution()).action()))
                .toList();
    }

    @Nested
    class Automatic {

        @Test
        void successInASequenceThatNeededNoOperatorLeavesNoEntry() {
            CopyingReplica copier = copier();
            failing.add("a1");
            appendInput("a", "a1", "a2");
            run(copier);
            assertThat(find(PARKED)).hasSize(2).noneMatch(Entry::escalated);
            failing.clear();

            runFor(Duration.ofMinutes(1), copier);

            assertThat(parked()).isEmpty();
            assertThat(find(RESOLVED)).isEmpty();
            assertThat(store().entryStore().count(RESOLVED)).isEqualTo(EntryCount.exactly(0));
        }

        /** The first letter is discarded, so the second one is retried without an operator. */
        @Test
        void successInAnEscalatedSequenceIsAnEntry() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();
            copier.queue().discard(firstLetter("a"));
            assertThat(parked("a").state()).isEqualTo(SequenceState.RETRYING);
            assertThat(parked("a").escalated()).isTrue();

            runFor(Duration.ofSeconds(3), copier);

            assertThat(resolved(EntryStatus.DISCARDED)).containsExactly("a1");
            assertThat(resolved(EntryStatus.REPLAYED)).containsExactly("a2");
            assertThat(actions(find(RESOLVED))).containsExactly("null", "null");
        }

        @Test
        void escalationEndsWithTheSequence() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();
            assertThat(processAny(copier)).isTrue();
            failing.add("a3");
            appendInput("a", "a3");

            run(copier);

            assertThat(parked("a").escalated()).isFalse();
        }

        /** A reset handles the events again, so they are no entries. */
        @Test
        void resetLeavesNoEntry() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();
            runUntil(copier.processor().reset(StartAt.BEGINNING), copier);

            assertThat(parked()).isEmpty();
            assertThat(find(RESOLVED)).isEmpty();
            assertThat(find(PARKED)).isEmpty();
            assertThat(store().entryStore().groups(GroupQuery.ALL)).isEmpty();
        }
    }

    @Nested
    class Replayed {

        /** The letters behind the requested one follow without an item of their own. */
        @Test
        void lettersNameTheActionThatDrainedTheirSequence() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();

            replay(copier, "replay-1", firstLetter("a"));

            assertThat(resolved(EntryStatus.REPLAYED)).containsExactly("a1", "a2");
            assertThat(actions(find(RESOLVED))).containsExactly("replay-1", "replay-1");
            assertThat(find(RESOLVED)).extracting(Entry::replayCount).containsExactly(1, 1);
        }

        @Test
        void letterOfARetryingSequenceIsAnEntry() {
            CopyingReplica copier = copier();
            failing.add("a1");
            appendInput("a", "a1");
            run(copier);
            failing.clear();

            replay(copier, "replay-1", firstLetter("a"));

            assertThat(resolved(EntryStatus.REPLAYED)).containsExactly("a1");
        }

        @Test
        void letterOfCodeIsAnEntryWithoutAction() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(actions(find(RESOLVED))).containsExactly("null", "null");
        }

        @Test
        void failuresAreCounted() {
            CopyingReplica copier = copier();
            park(copier, "a");

            replay(copier, "replay-1", firstLetter("a"));
            replay(copier, "replay-2", firstLetter("a"));

            assertThat(find(EntryQuery.PENDING)).extracting(Entry::replayCount).containsExactly(2, 0);
            broken.clear();
            replay(copier, "replay-3", firstLetter("a"));
            assertThat(find(RESOLVED)).extracting(Entry::replayCount).containsExactlyInAnyOrder(3, 1);
        }

        @Test
        void automaticRetriesAreNotCounted() {
            CopyingReplica copier = copier();
            failing.add("a1");
            appendInput("a", "a1");

            runFor(Duration.ofSeconds(30), copier);

            assertThat(find(PARKED)).singleElement().satisfies(entry -> {
                assertThat(entry.attempts()).isGreaterThan(1);
                assertThat(entry.replayCount()).isZero();
            });
        }
    }

    @Nested
    class Grouped {

        @Test
        void byTheCauseOfTheFirstLetter() {
            CopyingReplica copier = copier();
            park(copier, "a", "b");
            failing.add("c1");
            appendInput("c", "c1");
            run(copier);

            List<CauseGroup> groups = store().entryStore().groups(GroupQuery.ALL);

            assertThat(groups).extracting(CauseGroup::pending).containsExactly(4L, 0L);
            assertThat(groups).extracting(CauseGroup::parked).containsExactly(4L, 1L);
            assertThat(groups.get(0).causeType()).isEqualTo(Broken.class.getName());
            assertThat(find(PARKED.causeGroup(groups.get(0).id()))).hasSize(4);
            assertThat(parked("a").causeGroup()).isEqualTo(groups.get(0).id());
        }

        @Test
        void nowhereOnceTheyAreHandled() {
            CopyingReplica copier = copier();
            park(copier, "a", "b");
            broken.clear();
            replay(copier, "replay-1", firstLetter("a"));
            replay(copier, "replay-2", firstLetter("b"));

            assertThat(store().entryStore().groups(GroupQuery.ALL)).isEmpty();
            assertThat(store().entryStore().groups(GroupQuery.ALL.withResolved()))
                    .singleElement()
                    .satisfies(group -> assertThat(group.parked()).isZero());
        }

        /** Another cause in a replay moves the sequence to another group. */
        @Test
        void byTheNewestCause() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();
            failing.add("a1");

            replay(copier, "replay-1", firstLetter("a"));

            assertThat(store().entryStore().groups(GroupQuery.ALL))
                    .singleElement()
                    .satisfies(group -> assertThat(group.causeType()).isEqualTo(IllegalStateException.class.getName()));
        }
    }

    @Nested
    class Evicted {

        @Test
        void lettersAreDiscardedEntries() {
            CopyingReplica copier = copier();
            park(copier, "a");

            copier.queue().evict(firstLetter("a"));

            assertThat(find(EntryQuery.of(EntryStatus.DISCARDED)))
                    .singleElement()
                    .satisfies(entry -> assertThat(
                                    Objects.requireNonNull(entry.resolution()).detail())
                            .isEqualTo(LetterOutcome.EVICTED));
        }
    }
}

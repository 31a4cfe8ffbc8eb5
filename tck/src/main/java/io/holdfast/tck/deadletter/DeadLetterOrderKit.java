package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Pages of a component's sequences, ordered by next attempt and by age. */
public abstract class DeadLetterOrderKit extends DeadLetterKit {

    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06.789012Z");

    /** A sequence whose next attempt and age are that many microseconds after {@link #TIME}. */
    private Parked timed(String component, String sequence, long position, long nextAttempt, long age) {
        return parked(component, sequence, position)
                .with(it -> it.with(it.first(), it.last(), it.size(), TIME.plusNanos(age * 1_000))
                        .retrying(1, TIME.plusNanos(nextAttempt * 1_000)));
    }

    private static List<String> names(List<ParkedSequence> sequences) {
        return sequences.stream().map(sequence -> sequence.id().sequence()).toList();
    }

    /** Reads all pages. No page exceeds its limit, and the last one is not full. */
    private static List<String> paged(
            int size,
            BiFunction<@Nullable SequenceCursor, Integer, List<ParkedSequence>> read,
            Function<ParkedSequence, SequenceCursor> cursor) {
        List<String> all = new ArrayList<>();
        SequenceCursor after = null;
        List<ParkedSequence> page;
        do {
            page = read.apply(after, size);
            assertThat(page).hasSizeLessThanOrEqualTo(size);
            all.addAll(names(page));
            assertThat(all).doesNotHaveDuplicates(); // otherwise the loop would not end
            after = page.isEmpty() ? after : cursor.apply(page.get(page.size() - 1));
        } while (page.size() == size);
        return all;
    }

    private List<String> pagedByNextAttempt(int size) {
        return paged(
                size,
                (after, limit) -> letterStore().findByNextAttempt(COMPONENT, after, limit),
                SequenceCursor::byNextAttempt);
    }

    private List<String> pagedByAge(int size) {
        return paged(size, (after, limit) -> letterStore().findByAge(COMPONENT, after, limit), SequenceCursor::byAge);
    }

    @Nested
    @Lines(13)
    class ByNextAttempt {

        @Test
        void returnsLongestDueFirst() {
            commit(parkWrites(List.of(
                    timed(COMPONENT, "c", 1, 1, 30),
                    timed(COMPONENT, "a", 2, 3, 10),
                    timed(COMPONENT, "b", 3, 2, 20),
                    timed(OTHER_COMPONENT, "x", 4, 0, 0))));

            assertThat(names(letterStore().findByNextAttempt(COMPONENT, null, ALL)))
                    .containsExactly("c", "b", "a");
            assertThat(names(letterStore().findByNextAttempt(COMPONENT, null, 2)))
                    .containsExactly("c", "b");
            assertThat(names(letterStore().findByNextAttempt(OTHER_COMPONENT, null, ALL)))
                    .containsExactly("x");
            assertThat(letterStore().findByNextAttempt("kit/billing/unknown", null, ALL))
                    .isEmpty();
        }

        @Test
        void includesAllStates() {
            Parked retrying = parked("r", 1).with(it -> it.retrying(1, TIME.plusSeconds(3)));
            Parked held = parked("h", 2).with(it -> it.held("breaker", TIME, TIME.plusSeconds(2)));
            Parked pending = parked("p", 3).with(it -> it.pending(3, TIME.plusSeconds(1)));
            commit(parkWrites(List.of(retrying, held, pending)));

            assertThat(letterStore().findByNextAttempt(COMPONENT, null, ALL))
                    .containsExactly(pending.sequence(), held.sequence(), retrying.sequence());
        }

        @Test
        void continuesAfterRemovedSequence() {
            Parked removed = timed(COMPONENT, "b", 2, 2, 2);
            commit(parkWrites(List.of(timed(COMPONENT, "a", 1, 1, 1), removed, timed(COMPONENT, "c", 3, 3, 3))));

            commit(removed.removeWrites());

            assertThat(names(letterStore()
                            .findByNextAttempt(COMPONENT, SequenceCursor.byNextAttempt(removed.sequence()), ALL)))
                    .containsExactly("c");
        }

        @Test
        void movesAttemptedSequenceBack() {
            Parked attempted = timed(COMPONENT, "a", 1, 1, 1);
            commit(parkWrites(List.of(attempted, timed(COMPONENT, "b", 2, 2, 2))));

            commit(updateWrites(attempted, it -> it.retrying(1, TIME.plusSeconds(9))));

            assertThat(names(letterStore().findByNextAttempt(COMPONENT, null, ALL)))
                    .containsExactly("b", "a");
            assertThat(names(letterStore().findByAge(COMPONENT, null, ALL))).containsExactly("a", "b");
        }

        @Test
        void pagesOverEqualTimes() {
            commit(parkWrites(equalInThrees(i -> i / 3, i -> 0)));

            assertThat(pagedByNextAttempt(4)).isEqualTo(names(letterStore().findByNextAttempt(COMPONENT, null, ALL)));
            assertThat(pagedByNextAttempt(4)).isEqualTo(expected());
        }
    }

    @Nested
    @Lines(11)
    class ByAge {

        @Test
        void returnsOldestFirstLetterFirst() {
            commit(parkWrites(List.of(
                    timed(COMPONENT, "c", 1, 30, 1),
                    timed(COMPONENT, "a", 2, 10, 3),
                    timed(COMPONENT, "b", 3, 20, 2),
                    timed(OTHER_COMPONENT, "x", 4, 0, 0))));

            assertThat(names(letterStore().findByAge(COMPONENT, null, ALL))).containsExactly("c", "b", "a");
            assertThat(names(letterStore().findByAge(COMPONENT, null, 1))).containsExactly("c");
            assertThat(names(letterStore().findByAge(OTHER_COMPONENT, null, ALL)))
                    .containsExactly("x");
        }

        @Test
        void movesSequenceBackWhenFirstLetterIsRemoved() {
            Parked parked = parked("a", 1, 2).with(it -> it.with(1, 2, 2, TIME));
            commit(parkWrites(List.of(parked, timed(COMPONENT, "b", 3, 0, 1))));

            commit(updateWrites(parked, it -> it.shortened(2, 1, TIME.plusSeconds(5), TIME)));

            assertThat(names(letterStore().findByAge(COMPONENT, null, ALL))).containsExactly("b", "a");
        }

        @Test
        void pagesOverEqualTimes() {
            commit(parkWrites(equalInThrees(i -> 0, i -> i / 3)));

            assertThat(pagedByAge(4)).isEqualTo(expected());
        }

        @Test
        void returnsEachOnceForAnyIdentifier() {
            List<String> names =
                    List.of("a", "A", "a ", " a", "ä", "a\u0308", "%", "a_", "\uFFFD", "😀", "界", "'", "\\");
            List<Parked> all = IntStream.range(0, names.size())
                    .mapToObj(i -> timed(COMPONENT, names.get(i), i + 1, 0, 0))
                    .toList();
            commit(parkWrites(all));

            for (int size : List.of(1, 2, 5)) {
                assertThat(pagedByAge(size)).containsExactlyInAnyOrderElementsOf(names);
                assertThat(pagedByNextAttempt(size)).containsExactlyInAnyOrderElementsOf(names);
            }
        }
    }

    @Nested
    @Lines(11)
    class Newest {

        @Test
        void returnsYoungestFirstLetterFirst() {
            commit(parkWrites(List.of(
                    timed(COMPONENT, "c", 1, 30, 1),
                    timed(COMPONENT, "a", 2, 10, 3),
                    timed(COMPONENT, "b", 3, 20, 2),
                    timed(OTHER_COMPONENT, "x", 4, 0, 9))));

            assertThat(names(letterStore().findNewest(COMPONENT, null, ALL))).containsExactly("a", "b", "c");
            assertThat(names(letterStore().findNewest(COMPONENT, null, 1))).containsExactly("a");
            assertThat(names(letterStore().findNewest(OTHER_COMPONENT, null, ALL)))
                    .containsExactly("x");
            assertThat(letterStore().findNewest("kit/billing/unknown", null, ALL))
                    .isEmpty();
        }

        @Test
        void includesAllStates() {
            Parked retrying = timed(COMPONENT, "r", 1, 0, 1);
            Parked held = timed(COMPONENT, "h", 2, 0, 2).with(it -> it.held("breaker", TIME, TIME));
            Parked pending = timed(COMPONENT, "p", 3, 0, 3).with(it -> it.pending(3, TIME));
            commit(parkWrites(List.of(retrying, held, pending)));

            assertThat(letterStore().findNewest(COMPONENT, null, ALL))
                    .containsExactly(pending.sequence(), held.sequence(), retrying.sequence());
        }

        @Test
        void continuesAfterRemovedSequence() {
            Parked removed = timed(COMPONENT, "b", 2, 2, 2);
            commit(parkWrites(List.of(timed(COMPONENT, "a", 1, 1, 1), removed, timed(COMPONENT, "c", 3, 3, 3))));

            commit(removed.removeWrites());

            assertThat(names(letterStore().findNewest(COMPONENT, SequenceCursor.byAge(removed.sequence()), ALL)))
                    .containsExactly("a");
        }

        @Test
        void pagesOverEqualTimes() {
            commit(parkWrites(equalInThrees(i -> 0, i -> i / 3)));

            List<String> all = paged(
                    4, (before, limit) -> letterStore().findNewest(COMPONENT, before, limit), SequenceCursor::byAge);

            List<String> expected = new ArrayList<>(expected());
            Collections.reverse(expected);
            assertThat(all).isEqualTo(expected);
        }
    }

    /** Returns ten sequences of each component. Pages of four end between sequences with equal times. */
    private List<Parked> equalInThrees(LongUnaryOperator nextAttempt, LongUnaryOperator age) {
        List<Parked> all = new ArrayList<>();
        for (int i : List.of(7, 2, 9, 0, 4, 1, 8, 3, 6, 5)) {
            all.add(timed(COMPONENT, "s" + i, i + 1, nextAttempt.applyAsLong(i), age.applyAsLong(i)));
            all.add(timed(OTHER_COMPONENT, "s" + i, i + 101, nextAttempt.applyAsLong(i), age.applyAsLong(i)));
        }
        return all;
    }

    private static List<String> expected() {
        return IntStream.range(0, 10).mapToObj(i -> "s" + i).toList();
    }

    @Nested
    class OldestPending {

        @Test
        void isTimeOfOldestPendingFirstLetter() {
            Parked retrying = timed(COMPONENT, "a", 1, 0, 1);
            Parked older = timed(COMPONENT, "b", 2, 0, 2).with(it -> it.pending(1, TIME.plusSeconds(9)));
            Parked younger = timed(COMPONENT, "c", 3, 0, 3).with(it -> it.pending(1, TIME));
            Parked ofOtherComponent = timed(OTHER_COMPONENT, "a", 4, 0, 0).with(it -> it.pending(1, TIME));

            commit(parkWrites(List.of(younger, retrying, ofOtherComponent, older)));

            assertThat(letterStore().findOldestPending(COMPONENT))
                    .contains(older.sequence().since());
            assertThat(letterStore().findOldestPending(OTHER_COMPONENT)).contains(TIME);
        }

        @Test
        void isEmptyWithoutPendingSequence() {
            Parked pending = pending("a", 1);
            Parked held = parked("b", 2).with(it -> it.held("breaker", TIME, TIME));
            commit(parkWrites(List.of(pending, held)));

            commit(updateWrites(pending, it -> it.due(TIME)));

            assertThat(letterStore().findOldestPending(COMPONENT)).isEmpty();
            assertThat(letterStore().findOldestPending("kit/billing/unknown")).isEmpty();
        }

        @Test
        void movesToNextWhenOldestIsRemoved() {
            Parked older = timed(COMPONENT, "b", 2, 0, 2).with(it -> it.pending(1, TIME));
            Parked younger = timed(COMPONENT, "c", 3, 0, 3).with(it -> it.pending(1, TIME));
            commit(parkWrites(List.of(older, younger)));

            commit(older.removeWrites());

            assertThat(letterStore().findOldestPending(COMPONENT))
                    .contains(younger.sequence().since());
        }
    }
}

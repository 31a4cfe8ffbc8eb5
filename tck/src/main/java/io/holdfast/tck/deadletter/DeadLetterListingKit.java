package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.TestThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Counts and listings of a component's queue, over an adapter's store. */
public abstract class DeadLetterListingKit extends DeadLetterQueueScenario {

    /** More than two pages; the last one is partial. */
    private static final int MANY = 250;

    private static List<String> names(Iterable<Iterable<DeadLetter>> sequences) {
        List<String> names = new ArrayList<>();
        sequences.forEach(
                letters -> names.add(letters.iterator().next().sequence().sequence()));
        return names;
    }

    private static List<DeadLetter> all(Iterable<DeadLetter> letters) {
        List<DeadLetter> all = new ArrayList<>();
        letters.forEach(all::add);
        return all;
    }

    private static String name(int number) {
        return "s%04d".formatted(number);
    }

    @Nested
    @Lines(9)
    class Counting {

        @Test
        void isExact() {
            queue().enqueue("a", event("a", 1), BOOM);
            queue().enqueue("a", event("a", 2), BOOM);
            queue().enqueue("b", event("b", 1), BOOM);
            commit(parked("c", 1, 2, 3).writes());

            assertThat(queue().size()).isEqualTo(6);
            assertThat(queue().amountOfSequences()).isEqualTo(3);
            assertThat(queue().sequenceSize("a")).isEqualTo(2);
            assertThat(queue().sequenceSize("c")).isEqualTo(3);
            assertThat(queue().contains("b")).isTrue();
            assertThat(queue().counts()).isEqualTo(new QueueCounts(6, 1, 0, 2, 3, 0, 0));

            letters("a").forEach(queue()::evict);

            assertThat(queue().contains("a")).isFalse();
            assertThat(queue().sequenceSize("a")).isZero();
            assertThat(queue().size()).isEqualTo(4);
            assertThat(queue().amountOfSequences()).isEqualTo(2);
        }

        @Test
        void returnsZeroForEmptyQueue() {
            assertThat(queue().size()).isZero();
            assertThat(queue().amountOfSequences()).isZero();
            assertThat(queue().sequenceSize("a")).isZero();
            assertThat(queue().contains("a")).isFalse();
            assertThat(queue().isFull("a")).isFalse();
            assertThat(queue().deadLetters()).isEmpty();
            assertThat(queue().deadLetterSequence("a")).isEmpty();
        }

        @Test
        void ignoresOtherQueues() {
            EventMessage event = event("a", 1);
            queue().enqueue("a", event, BOOM);

            assertThat(otherQueue().contains("a")).isFalse();
            assertThat(otherQueue().size()).isZero();
            assertThat(otherQueue().amountOfSequences()).isZero();
            assertThat(otherQueue().sequenceSize("a")).isZero();
            assertThat(otherQueue().findLetter(event.id())).isEmpty();
            assertThat(otherQueue().deadLetters()).isEmpty();
            assertThat(otherQueue().deadLetterSequence("a")).isEmpty();
        }

        @Test
        void isSameInOtherReplicas() {
            queue().enqueue("a", event("a", 1), BOOM);

            assertThat(replica().deadLetterStore().counts(COMPONENT)).isEqualTo(queue().counts());
        }

        @Test
        void isExactAfterConcurrentChanges() {
            TestThreads.race(4, worker -> {
                String own = "own-" + worker;
                for (int i = 1; i <= 8; i++) {
                    queue().enqueue(own, event(own, i), BOOM);
                    queue().enqueue("shared", event("shared", 100L * worker + i), BOOM);
                }
                letters(own).subList(0, worker * 2).forEach(queue()::evict);
                return worker;
            });

            assertThat(queue().size()).isEqualTo(64 - 12);
            assertThat(queue().sequenceSize("shared"))
                    .isEqualTo(32)
                    .isEqualTo(letters("shared").size());
            assertThat(queue().amountOfSequences()).isEqualTo(5);
        }
    }

    @Nested
    @Lines(10)
    class OneSequence {

        @Test
        void listsLongSequenceWithoutRepeatingLetters() {
            Parked parked = pending("long", LongStream.rangeClosed(1, 5_000).toArray());
            commit(parked.writes());

            assertThat(all(queue().deadLetterSequence("long")))
                    .extracting(DeadLetter::id)
                    .isEqualTo(parked.letters().stream().map(DeadLetter::id).toList());
            assertThat(queue().sequenceSize("long")).isEqualTo(5_000);
        }

        @Test
        void listsFullAndPartialPages() {
            for (int length : List.of(1, 99, 100, 101, 200)) {
                String name = "of-" + length;
                commit(pending(name, LongStream.rangeClosed(1, length).toArray())
                        .writes());

                assertThat(all(queue().deadLetterSequence(name)))
                        .isEqualTo(letters(name))
                        .hasSize(length);
            }
        }

        @Test
        void listsLettersInOrderOfArrival() {
            List<EventMessage> events = new ArrayList<>();
            for (int position : List.of(5, 3, 9, 1)) {
                EventMessage event = event("a", position);
                events.add(event);
                queue().enqueue("a", event, BOOM);
            }

            assertThat(all(queue().deadLetterSequence("a")))
                    .extracting(DeadLetter::message)
                    .isEqualTo(events);
        }

        @Test
        void repeatsNoLetterDuringEviction() {
            commit(pending("a", LongStream.rangeClosed(1, MANY).toArray()).writes());
            List<DeadLetter> before = letters("a");
            List<DeadLetter> listed = new ArrayList<>();

            for (DeadLetter letter : queue().deadLetterSequence("a")) {
                listed.add(letter);
                if (listed.size() % 20 == 0) {
                    assertThat(queue().evict(letter)).isTrue();
                }
            }

            assertThat(listed)
                    .extracting(DeadLetter::id)
                    .isEqualTo(before.stream().map(DeadLetter::id).toList());
        }

        @Test
        void canBeListedAgain() {
            queue().enqueue("a", event("a", 1), BOOM);
            Iterable<DeadLetter> listing = queue().deadLetterSequence("a");
            assertThat(all(listing)).hasSize(1);

            queue().enqueue("a", event("a", 2), BOOM);

            assertThat(all(listing)).isEqualTo(letters("a")).hasSize(2);
        }
    }

    @Nested
    @Lines(11)
    class AllSequences {

        @Test
        void listsOldestFirstLetterFirst() {
            for (String name : List.of("c", "a", "b")) {
                queue().enqueue(name, event(name, 1), BOOM);
                harness().passTime(Duration.ofSeconds(1));
            }
            queue().enqueue("c", event("c", 2), BOOM);
            otherQueue().enqueue("x", event("x", 1), BOOM);

            assertThat(names(queue().deadLetters())).containsExactly("c", "a", "b");
            assertThat(all(queue().deadLetters().iterator().next()))
                    .isEqualTo(letters("c"))
                    .hasSize(2);
        }

        @Test
        void listsEachOnceAcrossPagesWithEqualTimes() {
            commit(parkWrites(IntStream.range(0, MANY)
                    .mapToObj(i -> pending(name(i), i + 1))
                    .toList()));

            assertThat(names(queue().deadLetters()))
                    .containsExactlyElementsOf(IntStream.range(0, MANY)
                            .mapToObj(DeadLetterListingKit::name)
                            .toList());
        }

        @Test
        void repeatsNoneWhenSequenceBecomesYounger() {
            parkManyOfTwoLetters();
            List<String> listed = new ArrayList<>();

            for (Iterable<DeadLetter> letters : queue().deadLetters()) {
                DeadLetter first = letters.iterator().next();
                listed.add(first.sequence().sequence());
                if (listed.size() <= 120) {
                    assertThat(queue().evict(first)).isTrue();
                }
            }

            assertThat(listed)
                    .containsExactlyElementsOf(IntStream.range(0, MANY)
                            .mapToObj(DeadLetterListingKit::name)
                            .toList());
        }

        /** Parks sequences of two letters. The second letter of each is parked later than all first letters. */
        private void parkManyOfTwoLetters() {
            List<Parked> first = IntStream.range(0, MANY)
                    .mapToObj(i -> pending(name(i), i + 1))
                    .toList();
            commit(parkWrites(first));
            harness().passTime(Duration.ofSeconds(1));
            List<Parked> second = new ArrayList<>();
            first.forEach(parked -> second.add(
                    new Parked(parked.sequence().grown(), List.of(nextLetter(parked, MANY + second.size() + 1)))));
            commit(parkWrites(second));
        }

        @Test
        void readsLazily() {
            commit(parkWrites(IntStream.range(0, MANY)
                    .mapToObj(i -> pending(name(i), i + 1))
                    .toList()));
            Iterator<Iterable<DeadLetter>> listing = queue().deadLetters().iterator();
            listing.next();

            queue().evict(letters(name(MANY - 1)).get(0));

            List<String> rest = new ArrayList<>();
            listing.forEachRemaining(
                    letters -> rest.add(letters.iterator().next().sequence().sequence()));
            assertThat(rest).hasSize(MANY - 2).doesNotContain(name(MANY - 1));
        }

        @Test
        void distinguishesSimilarIdentifiers() {
            ALIKE.forEach(name -> queue().enqueue(name, event("a", 1), BOOM));

            assertThat(names(queue().deadLetters())).containsExactlyInAnyOrderElementsOf(ALIKE);
        }

        @Test
        void doesNotDecodePayloads() {
            EventMessage plain = event("a", 1);
            EventMessage unknown = new EventMessage(
                    plain.id(),
                    plain.source(),
                    plain.stream(),
                    plain.key(),
                    plain.version(),
                    plain.occurredAt(),
                    plain.metadata(),
                    new Payload("UnknownType", 99, "{\"some\":\"thing\"}"),
                    plain.logPosition());
            queue().enqueue("a", unknown, BOOM);

            assertThat(all(queue().deadLetters().iterator().next()))
                    .extracting(DeadLetter::message)
                    .containsExactly(unknown);
        }
    }
}

package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventIds;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.token.Segments;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Reads of parked letters and sequences, whatever their number. */
public abstract class DeadLetterReadsKit extends DeadLetterKit {

    @Nested
    class Finding {

        @Test
        @Lines(10)
        void returnsPageFromTheMiddle() {
            Parked parked = parked("a", LongStream.rangeClosed(1, 10).toArray());
            commit(parked.writes());

            assertThat(letterStore().findLetters(parked.id(), 4, 3))
                    .isEqualTo(parked.letters().subList(3, 6));
            assertThat(letterStore().findLetters(parked.id(), 9, 3))
                    .isEqualTo(parked.letters().subList(8, 10));
            assertThat(letterStore().findLetters(parked.id(), 11, 3)).isEmpty();
        }

        @Test
        @Lines(9)
        void separatesComponents() {
            Parked one = parked("a", 1, 2);
            Parked other = fixture().parked("billing", "kit/billing/reminders", "a", "notes", 3, 4);

            commit(parkWrites(List.of(one, other)));

            assertParked(one);
            assertParked(other);
            assertThat(letterStore().find(new SequenceId("kit/billing/Invoices", "a")))
                    .isEmpty();
        }

        @Test
        @Lines({1, 9})
        void separatesSequencesThatDifferInCaseOrSpaces() {
            List<Parked> all = new ArrayList<>();
            List<String> names = List.of("a", "A", "a ", " a", "ä", "a\u0308", "%", "a_");
            for (int i = 0; i < names.size(); i++) {
                all.add(parked(names.get(i), i + 1));
            }

            commit(parkWrites(all));

            all.forEach(DeadLetterReadsKit.this::assertParked);
        }

        @Test
        void returnsSequencesOfConsumerByComponentAndSequence() {
            Parked first = fixture().parked("billing", "kit/billing/a", "y", "notes", 1);
            Parked second = fixture().parked("billing", "kit/billing/b", "x", "notes", 2);
            Parked third = fixture().parked("billing", "kit/billing/b", "y", "notes", 3);
            Parked foreign = fixture().parked("shipping", "kit/shipping/a", "x", "notes", 4);

            commit(parkWrites(List.of(third, foreign, first, second)));

            assertThat(StoredSequences.findAll(letterStore(), CONSUMER))
                    .containsExactly(first.sequence(), second.sequence(), third.sequence());
            assertThat(StoredSequences.findAll(letterStore(), "shipping")).containsExactly(foreign.sequence());
            assertThat(StoredSequences.findAll(letterStore(), "Billing")).isEmpty();
        }

        @Test
        void returnsEachSegmentItsOwnSequences() {
            List<Parked> all = IntStream.range(0, 64)
                    .mapToObj(i -> parked("sequence-" + i, i + 1))
                    .toList();
            commit(parkWrites(all));

            for (int count : List.of(1, 2, 3, 5, 8, 16)) {
                List<ParkedSequence> found = new ArrayList<>();
                Segments.of(count).forEach((number, mask) -> {
                    List<ParkedSequence> inSegment =
                            StoredSequences.findBySegment(letterStore(), "billing", number, mask);
                    assertThat(inSegment)
                            .allSatisfy(sequence -> assertThat(Segments.covers(sequence.hash(), number, mask))
                                    .isTrue());
                    found.addAll(inSegment);
                });

                assertThat(found)
                        .as("%s segments", count)
                        .containsExactlyInAnyOrderElementsOf(
                                all.stream().map(Parked::sequence).toList());
            }
        }

        @Test
        void returnsSequencesInRequestedStates() {
            Parked retrying = parked("r", 1);
            Parked held = parked("h", 2).with(it -> it.held("breaker", now(), now()));
            Parked pending = pending("p", 3);
            commit(parkWrites(List.of(retrying, held, pending)));

            assertThat(inStates(EnumSet.of(SequenceState.PENDING), ALL)).containsExactly(pending.sequence());
            assertThat(inStates(EnumSet.of(SequenceState.RETRYING, SequenceState.HELD), ALL))
                    .containsExactly(held.sequence(), retrying.sequence());
            assertThat(inStates(EnumSet.allOf(SequenceState.class), ALL)).hasSize(3);
            assertThat(inStates(EnumSet.noneOf(SequenceState.class), ALL)).isEmpty();
        }

        @Test
        void respectsLimit() {
            Parked first = parked("a", 1);
            Parked second = pending("b", 2);
            Parked third = parked("c", 3);
            Parked fourth = parked("d", 4);
            commit(parkWrites(List.of(fourth, second, third, first)));

            assertThat(inStates(EnumSet.of(SequenceState.RETRYING), 2))
                    .containsExactly(first.sequence(), third.sequence());
            assertThat(inStates(EnumSet.allOf(SequenceState.class), Integer.MAX_VALUE))
                    .hasSize(4);
        }

        private List<ParkedSequence> inStates(Set<SequenceState> states, int limit) {
            return letterStore().findSequences(CONSUMER, 0, 0, states, limit);
        }
    }

    @Nested
    class FindingById {

        @Test
        void findsParkedOnesAmongManySequences() {
            Parked one = parked("a", 1, 2);
            Parked two = parked("b", 3).with(it -> it.pending(1, now()));
            Parked ofOtherComponent = parked(OTHER_COMPONENT, "a", 4);
            commit(parkWrites(List.of(one, two, ofOtherComponent, parked("c", 5))));

            assertThat(letterStore()
                            .findSequences(List.of(
                                    one.id(),
                                    new SequenceId(COMPONENT, "unknown"),
                                    ofOtherComponent.id(),
                                    new SequenceId(OTHER_COMPONENT, "b"),
                                    two.id(),
                                    one.id())))
                    .containsExactlyInAnyOrder(one.sequence(), two.sequence(), ofOtherComponent.sequence());
            assertThat(letterStore().findSequences(List.of())).isEmpty();
        }

        @Test
        void findsManySequencesInOneCall() {
            List<Parked> all = IntStream.range(0, 700)
                    .mapToObj(i -> parked(i % 2 == 0 ? COMPONENT : OTHER_COMPONENT, "sequence-" + i, i + 1))
                    .toList();
            commit(parkWrites(all));

            assertThat(letterStore().findSequences(all.stream().map(Parked::id).toList()))
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().map(Parked::sequence).toList());
        }

        @Test
        void distinguishesSimilarIdentifiers() {
            Parked parked = parked("a", 1);
            commit(parked.writes());

            assertThat(letterStore()
                            .findSequences(Stream.of("A", "a ", " a", "á", "%", "_")
                                    .map(name -> new SequenceId(COMPONENT, name))
                                    .toList()))
                    .isEmpty();
        }

        @Test
        void findsLetterOfEvent() {
            Parked parked = parked("a", 1, 2, 3);
            Parked ofOtherComponent = fixture()
                    .parked(
                            CONSUMER,
                            OTHER_COMPONENT,
                            "b",
                            List.of(parked.letters().get(1).message()));
            commit(parkWrites(List.of(parked, ofOtherComponent)));
            UUID event = parked.letters().get(1).message().id();

            assertThat(letterStore().findLetter(COMPONENT, event))
                    .contains(parked.letters().get(1));
            assertThat(letterStore().findLetter(OTHER_COMPONENT, event))
                    .contains(ofOtherComponent.letters().get(0));
            assertThat(letterStore().findLetter("kit/billing/unknown", event)).isEmpty();
            assertThat(letterStore().findLetter(COMPONENT, EventIds.random(now())))
                    .isEmpty();
        }

        @Test
        void doesNotFindRemovedLetter() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());

            commit(removeFirstWrites(parked));

            assertThat(letterStore()
                            .findLetter(
                                    COMPONENT, parked.letters().get(0).message().id()))
                    .isEmpty();
            assertThat(letterStore()
                            .findLetter(
                                    COMPONENT, parked.letters().get(1).message().id()))
                    .contains(parked.letters().get(1));
        }
    }

    @Nested
    class FirstLetters {

        @Test
        void startAtFirstLetterOfEachSequence() {
            Parked one = parked("a", 1, 2, 3, 4, 5);
            Parked other = parked(OTHER_COMPONENT, "a", 6, 7);
            commit(parkWrites(List.of(one, other, parked("b", 8, 9))));

            assertThat(letterStore().findFirstLetters(List.of(one.sequence(), other.sequence()), 3))
                    .isEqualTo(Map.of(
                            one.id(), one.letters().subList(0, 3),
                            other.id(), other.letters()));
        }

        @Test
        void startAtGivenFirstNumber() {
            Parked parked = parked("a", 1, 2, 3, 4, 5);
            commit(parked.writes());
            ParkedSequence later = parked.sequence().shortened(3, 3, now(), now());

            assertThat(letterStore().findFirstLetters(List.of(later), 2))
                    .isEqualTo(Map.of(parked.id(), parked.letters().subList(2, 4)));
        }

        @Test
        void areFewerWhenNumbersAreMissing() {
            Parked parked = parked("a", 1, 2, 3, 4, 5);
            commit(parked.writes());
            ParkedSequence gaps =
                    parked.sequence().with(1, 5, 3, parked.sequence().since());
            commit(new LetterWrites(
                    List.of(),
                    List.of(),
                    List.of(
                            parked.letters().get(1).id(),
                            parked.letters().get(3).id()),
                    List.of(gaps),
                    List.of()));

            assertThat(letterStore().findFirstLetters(List.of(gaps), 3))
                    .isEqualTo(Map.of(
                            parked.id(),
                            List.of(parked.letters().get(0), parked.letters().get(2))));
            assertThat(letterStore().findFirstLetters(List.of(gaps), ALL).get(parked.id()))
                    .hasSize(3);
        }

        @Test
        void areReturnedForManySequences() {
            List<Parked> all = IntStream.range(0, 300)
                    .mapToObj(i -> parked("sequence-" + i, 3L * i + 1, 3L * i + 2, 3L * i + 3))
                    .toList();
            commit(parkWrites(all));

            Map<SequenceId, List<DeadLetter>> found = letterStore()
                    .findFirstLetters(all.stream().map(Parked::sequence).toList(), 2);

            assertThat(found).hasSize(300);
            all.forEach(parked -> assertThat(found)
                    .containsEntry(parked.id(), parked.letters().subList(0, 2)));
        }

        @Test
        void areEmptyWithoutSequences() {
            commit(parked("a", 1).writes());

            assertThat(letterStore().findFirstLetters(List.of(), 10)).isEmpty();
        }
    }
}

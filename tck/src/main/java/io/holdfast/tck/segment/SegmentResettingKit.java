package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.mark;
import static io.holdfast.tck.deadletter.ParkedLetters.restoredTo;
import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Mark;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Resets of consumers, and consumers whose source was restored from a backup. */
public abstract class SegmentResettingKit extends SegmentsScenario {

    @Nested
    class Resetting {

        private final Map<String, StreamPosition> resetPositions = Map.of("notes", at(3), "lists", at(1));

        @Test
        void movesAllSegmentsToGivenPositions() {
            initialized(2);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);
            advance(claim, Map.of("notes", at(9)), MARKS);
            tokens().setPaused(CONSUMER, true);
            long before = version(0);

            assertThat(tokens().reset(CONSUMER, 1, resetPositions)).isTrue();

            assertThat(found(0))
                    .isEqualTo(new Token(
                            segment(0),
                            version(0),
                            resetPositions,
                            Set.of(),
                            new SegmentSetup(
                                    1,
                                    2,
                                    "by-key@2",
                                    Map.of(COMPONENT, resetPositions, "kit/billing/reminders", resetPositions),
                                    Map.of(1, START, 2, resetPositions),
                                    true)));
            assertThat(version(0)).isGreaterThan(before);
            assertThat(found(1).positions()).isEqualTo(resetPositions);
            assertThat(all())
                    .allSatisfy(token -> assertThat(token.setup().generation()).isEqualTo(2));
        }

        @Test
        void releasesEveryClaim() {
            initialized(2);
            TokenClaim claim = claimed(0);

            tokens().reset(CONSUMER, 1, resetPositions);

            assertStale(claim, 0);
            assertStale(claim, version(0));
            assertThat(tokens().findAll(CONSUMER))
                    .extracting(ClaimedToken::owner)
                    .containsOnlyNulls();
            assertThat(tokens().renew(List.of(claim), LEASE)).isEmpty();
            TokenClaim next = claimed(0, "two");
            assertThat(next.fence()).isGreaterThan(claim.fence());
            advance(next, Map.of("notes", at(4)), Set.of());
        }

        @Test
        void rejectsWrongGeneration() {
            initialized(2);
            TokenClaim claim = claimed(0);
            park(claim, List.of(parked("a", "notes", 9)));

            assertNotReset(0);
            assertNotReset(2);
            advance(claim, Map.of(), Set.of());

            assertThat(tokens().reset(CONSUMER, 1, resetPositions)).isTrue();
            assertNotReset(1);
            assertThat(tokens().reset(CONSUMER, 2, resetPositions)).isTrue();
        }

        @Test
        void rejectsUnknownConsumer() {
            assertThat(tokens().reset(CONSUMER, 1, resetPositions)).isFalse();
            assertThat(all()).isEmpty();
        }

        @Test
        void doesNotAffectOtherConsumers() {
            initialized(2);
            List<Token> other = tokens().initialize("shipping", 2, START);
            Parked foreign = fixture().parked("shipping", "kit/shipping/parcels", "a", "notes", 9);
            park(claimed(0), List.of(foreign));

            tokens().reset(CONSUMER, 1, resetPositions);

            assertThat(tokens().findAll("shipping"))
                    .extracting(ClaimedToken::token)
                    .isEqualTo(other);
            assertLetters(foreign, foreign.letters());
            assertThat(store().deadLetterStore().find(foreign.id())).contains(foreign.sequence());
        }

        @Test
        @Lines(39)
        void removesSequencesAbovePositions() {
            Parked above = parked("above", "notes", 4, 5);
            parkInFirstSegment(above);

            tokens().reset(CONSUMER, 1, resetPositions);

            assertLetters(above, List.of());
            assertThat(storedState()).hasSize(2).allSatisfy(each -> assertThat(each)
                    .isInstanceOf(ClaimedToken.class));
            park(claimed(0), List.of(above));
            assertLetters(above, above.letters());
        }

        @Test
        @Lines(39)
        void keepsLettersAtOrBelowPositions() {
            Parked below = parked("below", "notes", 2, 3);
            Parked ofNoStream = parked("no stream", "gone", 9);
            parkInFirstSegment(below, ofNoStream);

            tokens().reset(CONSUMER, 1, resetPositions);

            assertLetters(below, below.letters());
            assertLetters(ofNoStream, ofNoStream.letters());
            assertThat(StoredSequences.findAll(store().deadLetterStore(), CONSUMER))
                    .containsExactlyInAnyOrder(below.sequence(), ofNoStream.sequence());
        }

        @Test
        @Lines(39)
        void shortensSequenceAcrossPosition() {
            Parked both = parked("both", "notes", 2, 3, 4, 5);
            parkInFirstSegment(both);

            tokens().reset(CONSUMER, 1, resetPositions);

            assertLetters(both, both.letters().subList(0, 2));
            ParkedSequence before = both.sequence();
            assertThat(store().deadLetterStore().find(both.id()))
                    .contains(new ParkedSequence(
                                    before.id(),
                                    CONSUMER,
                                    before.hash(),
                                    1,
                                    2,
                                    2,
                                    before.state(),
                                    before.attempts(),
                                    before.nextAttempt(),
                                    before.since(),
                                    null,
                                    null,
                                    null,
                                    null)
                            .withCauseOf(both.letters().get(0)));
        }

        @Test
        @Lines(39)
        void makesUnattemptedFirstLetterDueNow() {
            List<EventMessage> events = List.of(
                    fixture().event("lists", "mixed", 9),
                    fixture().event("notes", "mixed", 2),
                    fixture().event("notes", "mixed", 8),
                    fixture().event("notes", "mixed", 3));
            Parked plain = fixture().parked(CONSUMER, COMPONENT, "mixed", events);
            Parked mixed = new Parked(
                    plain.sequence().held("breaker", Instant.EPOCH, Instant.parse("2999-01-01T00:00:00Z")),
                    plain.letters());
            parkInFirstSegment(mixed);

            tokens().reset(CONSUMER, 1, resetPositions);

            assertLetters(mixed, List.of(mixed.letters().get(1), mixed.letters().get(3)));
            assertThat(store().deadLetterStore().find(mixed.id())).hasValueSatisfying(sequence -> {
                assertThat(sequence.first()).isEqualTo(2);
                assertThat(sequence.last()).isEqualTo(4);
                assertThat(sequence.size()).isEqualTo(2);
                assertThat(sequence.state()).isEqualTo(SequenceState.RETRYING);
                assertThat(sequence.attempts()).isZero();
                assertThat(sequence.heldBy()).isNull();
                assertThat(sequence.heldSince()).isNull();
                assertThat(sequence.nextAttempt()).isNotNull().isBefore(Instant.parse("2900-01-01T00:00:00Z"));
            });
        }

        @Test
        void succeedsForOneOfManyConcurrentCallers() {
            initialized(4);
            TokenStore otherReplica = replica().tokenStore();

            for (int generation = 1; generation <= 10; generation++) {
                int from = generation;
                List<Boolean> results = TestThreads.race(
                        4, worker -> (worker % 2 == 0 ? tokens() : otherReplica).reset(CONSUMER, from, resetPositions));

                assertThat(results).containsOnlyOnce(true);
            }
            assertThat(found(0).setup().generation()).isEqualTo(11);
        }

        private void parkInFirstSegment(Parked... parked) {
            initialized(2);
            park(claimed(0), List.of(parked));
        }

        private void assertLetters(Parked parked, List<DeadLetter> expected) {
            assertThat(store().deadLetterStore().findLetters(parked.id(), 0, 100))
                    .isEqualTo(expected);
        }

        private void assertNotReset(int generation) {
            List<Object> before = storedState();

            assertThat(tokens().reset(CONSUMER, generation, resetPositions)).isFalse();

            assertThat(storedState()).isEqualTo(before);
        }
    }

    @Nested
    class Restoring {

        @Test
        void lowersSegmentsAtLostPositions() {
            initialized(2);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of("notes", at(9), "lists", at(9)), Set.of());

            tokens().acceptRestore(CONSUMER, "notes", Set.of(at(9)), restoredTo(6));

            assertThat(found(0).positions()).isEqualTo(Map.of("notes", restoredTo(6), "lists", at(9)));
            assertThat(version(0)).isGreaterThan(1);
            assertThat(found(1)).isEqualTo(Token.starting(segment(1), 1, START));
        }

        @Test
        void keepsSegmentsAtSamePositionWithAnotherEvent() {
            initialized(1);
            StreamPosition other = new StreamPosition(at(8).log(), 8, at(9).id());
            advance(claimed(0), Map.of("notes", other), MARKS);
            Token before = found(0);

            tokens().acceptRestore(CONSUMER, "notes", Set.of(at(8)), restoredTo(6));

            assertThat(found(0)).isEqualTo(before);
        }

        @Test
        void removesMarksOfLostEventsAndKeepsOthers() {
            Mark at6 = mark("notes", 6, COMPONENT);
            Mark at7 = mark("notes", 7, COMPONENT);
            Mark inOtherStream = mark("lists", 9, COMPONENT);
            initialized(2);
            advance(claimed(0), Map.of("notes", at(6)), Set.of(at7, inOtherStream));
            advance(claimed(1), Map.of("notes", at(5)), Set.of(at6, at7, inOtherStream));

            tokens().acceptRestore(CONSUMER, "notes", Set.of(at(6)), restoredTo(5));

            assertThat(found(0).marks()).containsExactlyInAnyOrder(inOtherStream);
            assertThat(found(1).marks()).containsExactlyInAnyOrder(at6, at7, inOtherStream);
            assertThat(found(1).positions()).containsEntry("notes", at(5));
            assertThat(version(0)).isGreaterThan(1);
            assertThat(version(1)).isEqualTo(1);
        }

        @Test
        void keepsSegmentsAtOtherPositions() {
            initialized(2);
            advance(claimed(0), Map.of("notes", at(6)), MARKS);
            List<ClaimedToken> before = tokens().findAll(CONSUMER);

            tokens().acceptRestore(CONSUMER, "notes", Set.of(at(7)), restoredTo(1));
            tokens().acceptRestore(CONSUMER, "unknown", Set.of(at(6)), restoredTo(0));
            tokens().acceptRestore("shipping", "notes", Set.of(at(6)), restoredTo(0));

            assertThat(tokens().findAll(CONSUMER)).isEqualTo(before);
        }

        @Test
        void keepsClaimsAndInvalidatesUnitsOfEarlierVersion() {
            initialized(1);
            TokenClaim claim = claimed(0);

            tokens().acceptRestore(CONSUMER, "notes", Set.of(START.get("notes")), restoredTo(1));

            assertStale(claim, 0);
            advance(claim, Map.of("notes", at(2)), Set.of());
        }

        @Test
        void keepsLetters() {
            initialized(1);
            Parked parked = parked("a", "notes", 3, 4);
            park(claimed(0), List.of(parked));

            tokens().acceptRestore(CONSUMER, "notes", Set.of(START.get("notes")), restoredTo(1));

            assertThat(store().deadLetterStore().find(parked.id())).contains(parked.sequence());
            assertThat(store().deadLetterStore().findLetters(parked.id(), 0, 10))
                    .isEqualTo(parked.letters());
        }
    }
}

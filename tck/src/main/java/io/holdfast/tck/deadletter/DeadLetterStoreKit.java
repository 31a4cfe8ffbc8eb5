package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static io.holdfast.tck.harness.StoreWriter.letters;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.tck.harness.TokenAdvances;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link DeadLetterStore} for the letters that a commit unit carries. */
public abstract class DeadLetterStoreKit extends DeadLetterKit {

    private static LetterWrites replaceWrites(ParkedSequence sequence, DeadLetter letter) {
        return new LetterWrites(List.of(), List.of(letter), List.of(), List.of(sequence), List.of());
    }

    @Nested
    class Parking {

        @Test
        void findsNothingInitially() {
            assertNotParked(new SequenceId(COMPONENT, "a"));
            assertThat(StoredSequences.findAll(letterStore(), CONSUMER)).isEmpty();
        }

        @Test
        @Lines(1)
        void startsSequence() {
            Parked parked = parked("a", 1);

            commit(parked.writes());

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
        }

        @Test
        @Lines(1)
        void appendsToSequence() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());
            DeadLetter behind =
                    DeadLetter.notAttempted(parked.id(), 3, fixture().event("notes", "a", 3), now());

            ParkedSequence grown = parked.sequence().grown();
            commit(new LetterWrites(List.of(behind), List.of(), List.of(), List.of(grown), List.of()));

            List<DeadLetter> all = new ArrayList<>(parked.letters());
            all.add(behind);
            assertParked(new Parked(grown, all));
        }

        @Test
        @Lines(10)
        void keepsLettersInNumberOrder() {
            Parked parked = parked("a", LongStream.rangeClosed(1, 120).toArray());

            commit(parked.writes());

            assertThat(letterStore().findLetters(parked.id(), 0, ALL))
                    .extracting(DeadLetter::number)
                    .isEqualTo(LongStream.rangeClosed(1, 120).boxed().toList());
            assertParked(parked);
        }

        @Test
        @Lines(1)
        void appliesUnitsOfOneCommitInOrder() {
            Parked first = parked("a", 1);
            DeadLetter behind = DeadLetter.notAttempted(first.id(), 2, fixture().event("notes", "a", 2), now());
            ParkedSequence grown = first.sequence().grown();

            writer().commit(
                            letters(TokenAdvances.next(claim, 0, Map.of()), first.writes()),
                            letters(
                                    TokenAdvances.next(claim, 1, Map.of()),
                                    new LetterWrites(
                                            List.of(behind), List.of(), List.of(), List.of(grown), List.of())));

            assertParked(new Parked(grown, List.of(first.letters().get(0), behind)));
        }

        @Test
        void isVisibleToOtherReplicas() {
            DeadLetterStore otherReplica = replica().deadLetterStore();
            Parked parked = parked("a", 1, 2);

            commit(parked.writes());

            assertThat(otherReplica.find(parked.id())).contains(parked.sequence());
            assertThat(otherReplica.findLetters(parked.id(), 0, ALL)).isEqualTo(parked.letters());
        }
    }

    @Nested
    class Changing {

        @Test
        void replacesRetriedLetter() {
            Parked parked = parked("a", 1, 2, 3);
            commit(parked.writes());
            harness().passTime(Duration.ofSeconds(5));
            Instant now = now();
            DeadLetter attempted = parked.letters().get(0).failed(new Cause("Bang", null, "at kit"), "kit", now);
            ParkedSequence retrying = parked.sequence().retrying(2, now.plusSeconds(9));

            commit(replaceWrites(retrying, attempted));

            assertParked(new Parked(
                    retrying,
                    List.of(attempted, parked.letters().get(1), parked.letters().get(2))));
        }

        @Test
        void ignoresReplacementOfMissingLetter() {
            Parked parked = parked("a", 1);
            commit(parked.writes());
            DeadLetter unknown = parked("a", 9, 10).letters().get(1);

            commit(replaceWrites(parked.sequence(), unknown));

            assertParked(parked);
        }

        @Test
        void removesFirstLetters() {
            Parked parked = parked("a", 1, 2, 3);
            commit(parked.writes());
            Instant now = now();
            ParkedSequence shortened = parked.sequence().shortened(3, 1, now, now);

            commit(new LetterWrites(
                    List.of(),
                    List.of(),
                    List.of(
                            parked.letters().get(0).id(),
                            parked.letters().get(1).id()),
                    List.of(shortened),
                    List.of()));

            assertParked(new Parked(shortened, List.of(parked.letters().get(2))));
        }

        @Test
        void removesSequence() {
            Parked parked = parked("a", 1, 2);
            Parked other = parked("b", 3);
            commit(parkWrites(List.of(parked, other)));

            commit(parked.removeWrites());

            assertNotParked(parked.id());
            assertParked(other);
        }

        @Test
        void allowsRemovedSequenceToStartAgain() {
            Parked first = parked("a", 1, 2);
            commit(first.writes());
            commit(first.removeWrites());
            Parked again = parked("a", 5, 6);

            commit(again.writes());

            assertParked(again);
        }

        @Test
        void allowsRemovedSequenceToStartAgainInSameCommit() {
            Parked first = parked("a", 1, 2);
            commit(first.writes());
            Parked again = parked("a", 5, 6);

            writer().commit(
                            letters(TokenAdvances.next(claim, 1, Map.of()), first.removeWrites()),
                            letters(TokenAdvances.next(claim, 2, Map.of()), again.writes()));

            assertParked(again);
        }

        @Test
        void allowsSequenceToStartAndEndInSameCommit() {
            Parked parked = parked("a", 1, 2);

            writer().commit(
                            letters(TokenAdvances.next(claim, 0, Map.of()), parked.writes()),
                            letters(TokenAdvances.next(claim, 1, Map.of()), parked.removeWrites()));

            assertNotParked(parked.id());
        }

        @Test
        void appendsAndRemovesInOneUnit() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());
            Instant now = now();
            DeadLetter behind =
                    DeadLetter.notAttempted(parked.id(), 3, fixture().event("notes", "a", 3), now);
            ParkedSequence after = parked.sequence().grown().shortened(2, 2, now, now);

            commit(new LetterWrites(
                    List.of(behind), List.of(), List.of(parked.letters().get(0).id()), List.of(after), List.of()));

            assertParked(new Parked(after, List.of(parked.letters().get(1), behind)));
        }

        @Test
        void reusesNumberOfRemovedLetter() {
            Parked first = parked("a", 1);
            commit(first.writes());
            Parked other = parked("a", 5);

            commit(new LetterWrites(
                    other.letters(),
                    List.of(),
                    List.of(first.letters().get(0).id()),
                    List.of(other.sequence()),
                    List.of()));

            assertParked(other);
        }

        @Test
        void isUndoneByCrashBeforeCommit() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());

            Crash.before(CommitPoint.COMMIT, harness(), () -> commit(parked.removeWrites()));

            assertParked(parked);
        }
    }

    @Nested
    @Lines(3)
    class DuplicateEvents {

        @Test
        void areParkedOncePerComponent() {
            Parked parked = parked("a", 1);
            commit(parked.writes());
            Parked duplicate = fixture()
                    .parked(
                            "billing",
                            COMPONENT,
                            "b",
                            List.of(parked.letters().get(0).message()));

            assertNotWritten(duplicate.writes());

            assertParked(parked);
            assertNotParked(duplicate.id());
            assertThat(version()).isEqualTo(1);
        }

        @Test
        void areParkedOnceByUnitsOfOneCommit() {
            Parked parked = parked("a", 1);
            Parked duplicate = fixture()
                    .parked(
                            "billing",
                            COMPONENT,
                            "b",
                            List.of(parked.letters().get(0).message()));

            assertThat(canBeWritten(
                            letters(TokenAdvances.next(claim, 0, Map.of()), parked.writes()),
                            letters(TokenAdvances.next(claim, 1, Map.of()), duplicate.writes())))
                    .isFalse();
        }

        @Test
        void areParkedByEveryComponent() {
            Parked first = parked("a", 1);
            Parked second = fixture()
                    .parked(
                            "billing",
                            "kit/billing/reminders",
                            "a",
                            List.of(first.letters().get(0).message()));

            commit(parkWrites(List.of(first, second)));

            assertParked(first);
            assertParked(second);
        }

        @Test
        void areParkedAgainAfterRemoval() {
            Parked parked = parked("a", 1);
            Parked stays = parked("b", 2);
            commit(parkWrites(List.of(parked, stays)));
            commit(parked.removeWrites());

            commit(parked.writes());

            assertParked(parked);
            assertParked(stays);
        }

        @Test
        void doNotReuseNumberOfAnotherLetter() {
            Parked parked = parked("a", 1);
            commit(parked.writes());

            assertNotWritten(parked("a", 2).writes());

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
        }

        private void assertNotWritten(LetterWrites writes) {
            assertThat(canBeWritten(unit(writes))).isFalse();
        }

        /** A store may either name the unit that it rejects or fail the whole write. */
        private boolean canBeWritten(UnitWrites... units) {
            try {
                return writer().rejections(units).isEmpty();
            } catch (RuntimeException e) {
                return false;
            }
        }
    }
}

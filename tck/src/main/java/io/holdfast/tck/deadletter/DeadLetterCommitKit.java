package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.Lines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Letters are parked, changed and removed atomically with the rest of their unit. */
public abstract class DeadLetterCommitKit extends DeadLetterKit {

    @Nested
    @Lines(5)
    class AllOrNothing {

        @Test
        void isInvisibleBeforeCommit() {
            Parked parked = parked("a", 1);

            assertThat(writer().rejections(unit(parked.writes()))).isEmpty();

            assertNotParked(parked.id());
            assertThat(version()).isZero();
        }

        @Test
        void commitsLettersWithEffectsAndPosition() {
            Parked parked = parked("a", 1);

            writer().commit(withEvent("effect", parked.writes()));

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
            assertThat(effects()).containsExactly("effect");
        }

        @Test
        void rejectsStaleFencingToken() {
            Parked parked = parked("a", 1);
            UnitWrites stale = withEvent("effect", parked.writes());
            claim = store().tokenStore().claim(SEGMENT, "one", LEASE).orElseThrow();

            assertRejected(stale, parked);
        }

        @Test
        void rejectsStaleTokenVersion() {
            Parked parked = parked("a", 1);
            UnitWrites stale = withEvent("effect", parked.writes());
            commit(parked("b", 2).writes());

            assertRejected(stale, parked);
        }

        @Test
        void rejectsLettersWhenEffectsConflict() {
            Parked parked = parked("a", 1);
            writer().append("effects", "effect", 1);

            List<Rejection> rejections = writer().rejections(withEvent("effect", parked.writes()));

            assertThat(rejections).singleElement().extracting(Rejection::kind).isEqualTo(Rejection.Kind.CONFLICT);
            assertNotParked(parked.id());
            assertThat(version()).isZero();
        }

        @Test
        void leavesNothingAfterCrashBeforeCommit() {
            Parked parked = parked("a", 1, 2);
            for (CrashPoints.Moment moment : List.of(
                    new CrashPoints.Moment(CommitPoint.WRITE_LETTERS, false),
                    new CrashPoints.Moment(CommitPoint.WRITE_LETTERS, true),
                    new CrashPoints.Moment(CommitPoint.COMMIT, false))) {
                Crash.at(moment, harness(), () -> writer().commit(withEvent("effect", parked.writes())));

                assertNotParked(parked.id());
                assertThat(version()).as(moment.toString()).isZero();
                assertThat(effects()).isEmpty();
            }
            commit(parked.writes());
            assertParked(parked);
        }

        @Test
        void leavesEverythingAfterCrashAfterCommit() {
            Parked parked = parked("a", 1, 2);

            Crash.after(CommitPoint.COMMIT, harness(), () -> writer().commit(withEvent("effect", parked.writes())));

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
            assertThat(effects()).containsExactly("effect");
        }

        @Test
        void writesLettersBetweenTokensAndSnapshots() {
            require(Capability.CRASH_POINTS);
            List<CommitPoint> passed = new ArrayList<>();
            harness().crashPoints().runAt(new CrashPoints.Moment(CommitPoint.WRITE_TOKENS, true), () -> harness()
                    .crashPoints()
                    .runAt(new CrashPoints.Moment(CommitPoint.WRITE_LETTERS, true), () -> harness()
                            .crashPoints()
                            .runAt(
                                    new CrashPoints.Moment(CommitPoint.WRITE_SNAPSHOTS, false),
                                    () -> passed.add(CommitPoint.WRITE_SNAPSHOTS))));

            commit(parked("a", 1).writes());

            assertThat(passed).containsExactly(CommitPoint.WRITE_SNAPSHOTS);
        }

        private UnitWrites withEvent(String key, LetterWrites writes) {
            return new UnitWrites(
                    List.of(writer().draft("effects", key, 1)), List.of(), List.of(), Optional.of(advance()), writes);
        }

        private List<String> effects() {
            return store().eventLog().readStream("effects", 0, ALL).stream()
                    .map(EventMessage::key)
                    .toList();
        }

        private void assertRejected(UnitWrites unit, Parked parked) {
            assertThat(writer().rejections(unit)).singleElement().satisfies(rejection -> {
                assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
                assertThat(rejection.cause()).isInstanceOf(StaleTokenException.class);
            });
            assertNotParked(parked.id());
            assertThat(effects()).isEmpty();
        }
    }
}

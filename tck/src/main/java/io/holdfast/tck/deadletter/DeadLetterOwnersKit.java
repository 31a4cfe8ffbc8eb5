package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.harness.StoreWriter.letters;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.Rejection;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.TokenClaim;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The owner of a segment must reload after another caller has changed the parked letters of that segment. */
@Lines(38)
public abstract class DeadLetterOwnersKit extends DeadLetterKit {

    private void change(LetterWrites writes) {
        letterStore().change(CONSUMER, parked -> writes);
    }

    private void assertStale(UnitWrites unit) {
        assertThat(writer().rejections(unit)).singleElement().satisfies(rejection -> {
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
            assertThat(rejection.cause()).isInstanceOf(StaleTokenException.class);
        });
    }

    @Nested
    class Owners {

        @Test
        void mustReloadAfterLetterIsAdded() {
            UnitWrites formedBefore = unit(LetterWrites.NONE);

            change(pending("a", 1).writes());

            assertStale(formedBefore);
            commit(LetterWrites.NONE);
        }

        @Test
        void mustReloadAfterSequenceIsRemoved() {
            Parked parked = pending("a", 1);
            commit(parked.writes());
            UnitWrites formedBefore = unit(appendWrites(parked, nextLetter(parked, 2)));

            change(parked.removeWrites());

            assertStale(formedBefore);
            assertNotParked(parked.id());
        }

        @Test
        void mustReloadAfterLetterIsReplaced() {
            Parked parked = pending("a", 1);
            commit(parked.writes());
            UnitWrites formedBefore = unit(parked.removeWrites());
            DeadLetter changed = parked.letters().get(0).withDiagnostics(Map.of("why", "because"));

            change(new LetterWrites(List.of(), List.of(changed), List.of(), List.of(parked.sequence()), List.of()));

            assertStale(formedBefore);
            assertParked(new Parked(parked.sequence(), List.of(changed)));
        }

        @Test
        void mustReloadAfterChangeByAnotherReplica() {
            UnitWrites formedBefore = unit(LetterWrites.NONE);
            Parked parked = pending("a", 1);

            replica().deadLetterStore().change(CONSUMER, reads -> parked.writes());

            assertStale(formedBefore);
        }

        @Test
        void keepTheirClaims() {
            change(pending("a", 1).writes());
            long changed = version();

            commit(parked("b", 2).writes());

            assertThat(store().tokenStore().renew(List.of(claim), LEASE)).containsExactly(claim);
            assertThat(store().tokenStore().find(SEGMENT).orElseThrow().positions())
                    .containsEntry("notes", at(changed + 1));
        }

        @Test
        void ofOtherSegmentsAreNotAffected() {
            Segment other = split();
            Map<Segment, Long> before = versions(SEGMENT, other);

            change(pending(nameOf(other), 1).writes());

            assertThat(version(SEGMENT)).isEqualTo(before.get(SEGMENT));
            long changed = version(other);
            assertThat(changed).isGreaterThan(requireNonNull(before.get(other)));

            change(pending(nameOf(SEGMENT), 2).writes());

            assertThat(version(SEGMENT)).isGreaterThan(requireNonNull(before.get(SEGMENT)));
            assertThat(version(other)).isEqualTo(changed);
        }

        @Test
        void ofAllAffectedSegmentsMustReload() {
            Segment other = split();
            Parked first = pending(nameOf(SEGMENT), 1);
            Parked second = pending(nameOf(other), 2);
            commit(first.writes());
            Map<Segment, Long> before = versions(SEGMENT, other);

            change(new LetterWrites(
                    second.letters(),
                    List.of(),
                    first.removeWrites().removed(),
                    List.of(second.sequence()),
                    List.of(first.id())));

            assertThat(version(SEGMENT)).isGreaterThan(requireNonNull(before.get(SEGMENT)));
            assertThat(version(other)).isGreaterThan(requireNonNull(before.get(other)));
        }

        @Test
        void areFoundAfterSplit() {
            Parked parked = pending(nameOf(new Segment(CONSUMER, 1)), 1);
            commit(parked.writes());
            Segment other = split();
            TokenClaim otherClaim =
                    store().tokenStore().claim(other, "two", LEASE).orElseThrow();
            UnitWrites formedBefore =
                    letters(TokenAdvances.next(otherClaim, version(other), Map.of()), LetterWrites.NONE);
            UnitWrites otherUnit = unit(LetterWrites.NONE);

            change(parked.removeWrites());

            assertStale(formedBefore);
            writer().commit(otherUnit);
        }

        @Test
        void ofOtherProcessorsAreNotAffected() {
            Segment other = new Segment("shipping", 0);
            store().tokenStore().initialize(other, Map.of("notes", at(0)));

            change(pending("a", 1).writes());

            assertThat(version(other)).isZero();
            assertThat(version()).isPositive();
        }

        private Segment split() {
            return store().tokenStore().split(claim, version()).orElseThrow();
        }

        private Map<Segment, Long> versions(Segment one, Segment other) {
            return Map.of(one, version(one), other, version(other));
        }

        /** Returns an identifier whose hash belongs to this one of two segments. */
        private String nameOf(Segment segment) {
            return IntStream.range(0, 1_000)
                    .mapToObj(i -> "sequence-" + i)
                    .filter(name -> Segments.covers(Segments.hash(name), segment.number(), 1))
                    .findFirst()
                    .orElseThrow();
        }
    }
}

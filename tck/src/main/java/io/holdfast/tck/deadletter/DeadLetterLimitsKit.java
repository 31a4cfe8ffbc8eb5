package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static io.holdfast.tck.harness.StoreWriter.letters;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The store rejects only a unit that would exceed the limits of a queue. */
@Lines(4)
public abstract class DeadLetterLimitsKit extends DeadLetterKit {

    private static final QueueCounts NONE = QueueCounts.EMPTY;

    private QueueCounts counts() {
        return letterStore().counts(COMPONENT);
    }

    private static final QueueLimits ONE = new QueueLimits(1, 2, 1);

    private LetterWrites limited(LetterWrites writes) {
        return writes.withLimits(Map.of(COMPONENT, ONE));
    }

    private void assertOverflow(Parked tooMuch, String what, String property) {
        QueueCounts before = counts();
        long version = version();

        assertThat(overflow(tooMuch.writes()))
                .hasMessageContaining("dead-letter queue of " + COMPONENT)
                .hasMessageContaining(what)
                .hasMessageContaining(property);

        assertNotParked(tooMuch.id());
        assertThat(counts()).isEqualTo(before);
        assertThat(version()).isEqualTo(version);
    }

    private PermanentException overflow(LetterWrites writes) {
        return rejection(limited(writes));
    }

    private PermanentException rejection(LetterWrites writes) {
        List<Rejection> rejections = writer().rejections(unit(writes));
        assertThat(rejections).singleElement().satisfies(rejection -> {
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
            assertThat(rejection.cause())
                    .isInstanceOfSatisfying(
                            DeadLetterQueueOverflowException.class,
                            overflow -> assertThat(overflow.component()).isEqualTo(COMPONENT));
        });
        return rejections.get(0).cause();
    }

    @Nested
    class FullQueue {

        @Test
        void acceptsSequencesWithinLimits() {
            Parked pending = pending("a", 1, 2);
            Parked retrying = parked("b", 3, 4);

            commit(limited(parkWrites(List.of(pending, retrying))));

            assertParked(pending);
            assertParked(retrying);
        }

        @Test
        void rejectsAnotherPendingSequence() {
            commit(pending("a", 1).writes());

            assertOverflow(pending("b", 2), "1 PENDING sequences", "max-sequences");
        }

        @Test
        void rejectsSequenceThatBecomesPending() {
            Parked retrying = parked("b", 2);
            commit(parkWrites(List.of(pending("a", 1), retrying)));

            assertThat(overflow(updateWrites(retrying, it -> it.pending(3, now()))))
                    .hasMessageContaining("max-sequences");

            assertParked(retrying);
            assertThat(counts()).isEqualTo(new QueueCounts(2, 1, 0, 1, 1, 0, 0));
        }

        @Test
        void rejectsAnotherWaitingSequence() {
            commit(parked("a", 1).writes());

            assertOverflow(parked("b", 2), "1 RETRYING and HELD sequences", "max-waiting");
        }

        @Test
        void countsHeldSequencesAsWaiting() {
            commit(parked("a", 1).with(it -> it.held("breaker", now(), now())).writes());

            assertOverflow(parked("b", 2), "1 RETRYING and HELD sequences", "max-waiting");
        }

        @Test
        void rejectsAnotherLetterOfSequence() {
            Parked full = parked("a", 1, 2);
            commit(full.writes());

            assertThat(overflow(appendWrites(full, nextLetter(full, 3))))
                    .hasMessageContaining(COMPONENT)
                    .hasMessageContaining("2 letters in sequence a")
                    .hasMessageContaining("max-sequence-size");

            assertParked(full);
            assertThat(version()).isEqualTo(1);
        }

        @Test
        void rejectsNewSequenceThatIsTooLong() {
            assertOverflow(parked("a", 1, 2, 3), "2 letters in sequence a", "max-sequence-size");
        }

        @Test
        void reportsDisabledQueue() {
            LetterWrites pending = pending("a", 1).writes().withLimits(Map.of(COMPONENT, new QueueLimits(0, 10, 10)));

            assertThat(rejection(pending))
                    .hasMessageContaining(COMPONENT)
                    .hasMessageContaining("it is disabled")
                    .hasMessageContaining("no sequence can become PENDING");
        }

        @Test
        void limitsEachComponentSeparately() {
            commit(parkWrites(
                    List.of(pending("a", 1), parked(OTHER_COMPONENT, "a", 2), parked(OTHER_COMPONENT, "b", 3))));

            Parked one = parked("b", 4);
            Parked other = parked(OTHER_COMPONENT, "c", 5);
            commit(limited(parkWrites(List.of(one, other))));

            assertParked(one);
            assertParked(other);
        }
    }

    @Nested
    class QueueAboveLimits {

        @Test
        void canShrink() {
            Parked one = pending("a", 1, 2, 3, 4);
            Parked two = pending("b", 5);
            Parked three = pending("c", 6);
            commit(parkWrites(List.of(one, two, three, parked("d", 7), parked("e", 8))));

            commit(limited(three.removeWrites()));
            assertThat(counts().pending()).isEqualTo(2);

            commit(limited(new LetterWrites(
                    List.of(),
                    List.of(),
                    List.of(one.letters().get(3).id()),
                    List.of(one.sequence().with(1, 3, 3, one.sequence().since())),
                    List.of())));
            assertThat(letterStore().find(one.id()))
                    .hasValueSatisfying(it -> assertThat(it.size()).isEqualTo(3));
        }

        @Test
        void acceptsStateChangeOfSequence() {
            Parked one = pending("a", 1, 2, 3);
            commit(parkWrites(List.of(one, pending("b", 4), pending("c", 5))));

            commit(limited(updateWrites(one, it -> it.pending(4, now().plusSeconds(5)))));

            assertThat(letterStore().find(one.id())).contains(one.sequence().pending(4, now().plusSeconds(5)));
        }
    }

    @Nested
    class Units {

        @Test
        void useRoomMadeBySameUnit() {
            Parked one = pending("a", 1);
            commit(one.writes());
            Parked two = pending("b", 2);

            commit(limited(new LetterWrites(
                    two.letters(),
                    List.of(),
                    List.of(one.letters().get(0).id()),
                    List.of(two.sequence()),
                    List.of(one.id()))));

            assertParked(two);
            assertNotParked(one.id());
        }

        @Test
        void useRoomMadeByEarlierUnitOfBatch() {
            Parked one = pending("a", 1);
            commit(one.writes());
            Parked two = pending("b", 2);

            writer().commit(
                            letters(TokenAdvances.next(claim, 1, Map.of()), limited(one.removeWrites())),
                            letters(TokenAdvances.next(claim, 2, Map.of()), limited(two.writes())));

            assertParked(two);
        }

        @Test
        void countEarlierUnitsOfBatch() {
            List<Rejection> rejections = writer().rejections(
                            letters(
                                    TokenAdvances.next(claim, 0, Map.of()),
                                    limited(pending("a", 1).writes())),
                            letters(
                                    TokenAdvances.next(claim, 1, Map.of()),
                                    limited(pending("b", 2).writes())));

            assertThat(rejections).singleElement().satisfies(rejection -> {
                assertThat(rejection.unit()).isEqualTo(1);
                assertThat(rejection.cause()).isInstanceOf(DeadLetterQueueOverflowException.class);
            });
            assertThat(counts()).isEqualTo(NONE);
        }

        @Test
        void areRejectedWithoutAffectingOtherUnitsOfBatch() {
            Segment other = new Segment("shipping", 0);
            store().tokenStore().initialize(other, Map.of("notes", at(0)));
            TokenClaim otherClaim =
                    store().tokenStore().claim(other, "one", LEASE).orElseThrow();
            commit(pending("a", 1).writes());
            Parked fits = fixture().parked("shipping", "kit/shipping/a", "x", "notes", 2);
            UnitWrites before =
                    letters(TokenAdvances.next(otherClaim, 0, Map.of("notes", at(1))), limited(fits.writes()));
            UnitWrites tooMuch = unit(limited(pending("b", 3).writes()));
            DeadLetter next = nextLetter(fits, 4);
            UnitWrites after = letters(
                    TokenAdvances.next(otherClaim, 1, Map.of("notes", at(2))), limited(appendWrites(fits, next)));

            assertThat(writer().rejections(before, tooMuch, after))
                    .extracting(Rejection::unit)
                    .containsExactly(1);
            writer().commit(before, after);

            assertParked(withLetter(fits, next));
            assertThat(counts()).isEqualTo(new QueueCounts(1, 0, 0, 1, 1, 0, 0));
        }

        @Test
        void areRejectedAsWhole() {
            commit(pending("a", 1).writes());
            UnitWrites unit = new UnitWrites(
                    List.of(writer().draft("effects", "effect", 1)),
                    List.of(),
                    List.of(),
                    Optional.of(advance()),
                    limited(parkWrites(List.of(pending("b", 2), parked("c", 3)))));

            assertThat(writer().rejections(unit)).hasSize(1);

            assertNotParked(new SequenceId(COMPONENT, "b"));
            assertNotParked(new SequenceId(COMPONENT, "c"));
            assertThat(version()).isEqualTo(1);
            assertThat(store().eventLog().readStream("effects", 0, ALL)).isEmpty();
        }
    }
}

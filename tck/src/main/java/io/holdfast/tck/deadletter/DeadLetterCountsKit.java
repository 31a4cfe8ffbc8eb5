package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static io.holdfast.tck.harness.StoreWriter.letters;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.TokenAdvances;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Counts stay exact through commits, rejections and resets. */
public abstract class DeadLetterCountsKit extends DeadLetterKit {

    private static final QueueCounts NONE = QueueCounts.EMPTY;

    private QueueCounts counts() {
        return letterStore().counts(COMPONENT);
    }

    @Nested
    @Lines(9)
    class Counting {

        @Test
        void startsAtZero() {
            assertThat(counts()).isEqualTo(NONE);
        }

        @Test
        void distinguishesStates() {
            commit(parkWrites(List.of(
                    parked("a", 1, 2),
                    parked("b", 3),
                    parked("c", 4, 5, 6).with(it -> it.held("breaker", now(), now())),
                    pending("d", 7, 8, 9, 10))));

            assertThat(counts()).isEqualTo(new QueueCounts(10, 2, 1, 1, 4, 0, 0));
            assertThat(counts().sequences()).isEqualTo(4);
            assertThat(counts().waiting()).isEqualTo(3);
        }

        @Test
        void followsSequenceFromFirstToLastLetter() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());
            assertThat(counts()).isEqualTo(new QueueCounts(2, 1, 0, 0, 0, 0, 0));

            DeadLetter behind = nextLetter(parked, 3);
            commit(appendWrites(parked, behind));
            Parked grown = withLetter(parked, behind);
            assertThat(counts()).isEqualTo(new QueueCounts(3, 1, 0, 0, 0, 0, 0));

            commit(updateWrites(grown, it -> it.held("breaker", now(), now())));
            assertThat(counts()).isEqualTo(new QueueCounts(3, 0, 1, 0, 0, 0, 0));

            commit(updateWrites(grown, it -> it.pending(3, now())));
            assertThat(counts()).isEqualTo(new QueueCounts(3, 0, 0, 1, 3, 0, 0));

            commit(removeFirstWrites(grown));
            assertThat(counts()).isEqualTo(new QueueCounts(2, 1, 0, 0, 0, 0, 0));

            commit(withoutFirst(grown).removeWrites());
            assertThat(counts()).isEqualTo(NONE);
        }

        @Test
        void followsPendingSequenceThatGrowsAndShrinks() {
            Parked pending = pending("a", 1, 2);
            commit(pending.writes());
            commit(appendWrites(pending, nextLetter(pending, 3)));
            assertThat(counts()).isEqualTo(new QueueCounts(3, 0, 0, 1, 3, 0, 0));

            commit(new LetterWrites(
                    List.of(),
                    List.of(),
                    List.of(pending.letters().get(1).id()),
                    List.of(pending.sequence().with(1, 3, 2, pending.sequence().since())),
                    List.of()));

            assertThat(counts()).isEqualTo(new QueueCounts(2, 0, 0, 1, 2, 0, 0));
        }

        @Test
        void separatesComponents() {
            Parked ofOtherComponent = parked(OTHER_COMPONENT, "a", 4, 5);
            commit(parkWrites(List.of(parked("a", 1), pending("b", 2, 3), ofOtherComponent)));

            assertThat(counts()).isEqualTo(new QueueCounts(3, 1, 0, 1, 2, 0, 0));
            assertThat(letterStore().counts(OTHER_COMPONENT)).isEqualTo(new QueueCounts(2, 1, 0, 0, 0, 0, 0));
            assertThat(letterStore().counts("kit/billing/Invoices")).isEqualTo(NONE);

            commit(ofOtherComponent.removeWrites());

            assertThat(counts()).isEqualTo(new QueueCounts(3, 1, 0, 1, 2, 0, 0));
            assertThat(letterStore().counts(OTHER_COMPONENT)).isEqualTo(NONE);
        }

        @Test
        void sumsUnitsOfBatch() {
            Parked one = parked("a", 1);
            DeadLetter behind = nextLetter(one, 2);
            Parked two = pending("b", 3);
            Parked gone = parked("c", 4, 5);

            writer().commit(
                            letters(TokenAdvances.next(claim, 0, Map.of()), parkWrites(List.of(one, gone))),
                            letters(TokenAdvances.next(claim, 1, Map.of()), appendWrites(one, behind)),
                            letters(TokenAdvances.next(claim, 2, Map.of()), two.writes()),
                            letters(TokenAdvances.next(claim, 3, Map.of()), gone.removeWrites()),
                            letters(
                                    TokenAdvances.next(claim, 4, Map.of()),
                                    updateWrites(withLetter(one, behind), it -> it.pending(1, now()))));

            assertThat(counts()).isEqualTo(new QueueCounts(3, 0, 0, 2, 3, 0, 0));
        }

        @Test
        void ignoresRejectedUnit() {
            Parked parked = parked("a", 1);
            UnitWrites stale = unit(parked("b", 2, 3).writes());
            commit(parked.writes());

            assertThat(writer().rejections(stale)).hasSize(1);

            assertThat(counts()).isEqualTo(new QueueCounts(1, 1, 0, 0, 0, 0, 0));
        }

        @Test
        void ignoresUncommittedUnit() {
            assertThat(writer().rejections(unit(parked("a", 1).writes()))).isEmpty();

            assertThat(counts()).isEqualTo(NONE);
        }

        @Test
        void ignoresUnitUndoneByCrash() {
            Crash.before(
                    CommitPoint.COMMIT, harness(), () -> commit(parked("a", 1).writes()));

            assertThat(counts()).isEqualTo(NONE);
        }

        @Test
        @Lines(39)
        void followsReset() {
            commit(parkWrites(List.of(
                    parked("a", 1, 8), pending("b", 2, 3), pending("c", 9), parked(OTHER_COMPONENT, "a", 4, 10))));

            assertThat(reset(5)).isTrue();

            assertThat(counts()).isEqualTo(new QueueCounts(3, 1, 0, 1, 2, 0, 0));
            assertThat(letterStore().counts(OTHER_COMPONENT)).isEqualTo(new QueueCounts(1, 1, 0, 0, 0, 0, 0));
            assertThat(letterStore().findOldestPending(COMPONENT)).isPresent();

            assertThat(reset(0)).isTrue();

            assertThat(counts()).isEqualTo(NONE);
            assertThat(letterStore().counts(OTHER_COMPONENT)).isEqualTo(NONE);
            assertThat(letterStore().findOldestPending(COMPONENT)).isEmpty();
            assertThat(letterStore().findByAge(COMPONENT, null, ALL)).isEmpty();
        }

        @Test
        @Lines(39)
        void ignoresRejectedReset() {
            commit(parked("a", 1, 8).writes());

            assertThat(store().tokenStore().reset(CONSUMER, 77, Map.of("notes", at(0))))
                    .isFalse();

            assertThat(counts()).isEqualTo(new QueueCounts(2, 1, 0, 0, 0, 0, 0));
        }

        private boolean reset(long position) {
            int generation =
                    store().tokenStore().find(SEGMENT).orElseThrow().setup().generation();
            return store().tokenStore().reset(CONSUMER, generation, Map.of("notes", at(position)));
        }

        @Test
        void isVisibleToOtherReplicas() {
            DeadLetterStore otherReplica = replica().deadLetterStore();

            commit(parkWrites(List.of(parked("a", 1, 2), pending("b", 3))));

            assertThat(otherReplica.counts(COMPONENT)).isEqualTo(new QueueCounts(3, 1, 0, 1, 1, 0, 0));
        }
    }
}

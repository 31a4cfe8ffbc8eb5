package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SagaLetters;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.token.Segments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Letters are found by the saga of their event, wherever they are parked. */
public abstract class DeadLetterSagasKit extends DeadLetterKit {

    private static final String SAGA = "saga-1";
    private static final String OTHER_SAGA = "saga-2";
    private static final int MOST = 10;

    private long position;

    private Map<String, SagaLetters> find(String... sagas) {
        return letterStore().findSagaLetters(List.of(sagas), MOST);
    }

    private List<SagaLetter> found(String saga) {
        return find(saga).values().stream()
                .flatMap(letters -> letters.letters().stream())
                .toList();
    }

    /** Returns an event at the next position; a null saga means none. */
    private EventMessage event(String key, @Nullable String saga) {
        EventMessage event = fixture().event("notes", key, ++position);
        return saga == null ? event : with(event, event.metadata().withSaga("Order", saga));
    }

    private static EventMessage with(EventMessage event, Metadata metadata) {
        return new EventMessage(
                event.id(),
                event.source(),
                event.stream(),
                event.key(),
                event.version(),
                event.occurredAt(),
                metadata,
                event.payload(),
                event.logPosition());
    }

    /** Returns a sequence with one letter per saga, in this order. */
    private Parked ofSagas(String sequence, @Nullable String... sagas) {
        List<EventMessage> events =
                Stream.of(sagas).map(saga -> event(sequence, saga)).toList();
        return fixture().parked(CONSUMER, COMPONENT, sequence, events);
    }

    private static SagaLetter letter(Parked parked, int index) {
        return SagaLetter.of(parked.letters().get(index), parked.sequence());
    }

    private static SagaLetters all(SagaLetter... letters) {
        return new SagaLetters(List.of(letters), letters.length);
    }

    @Nested
    class Finding {

        @Test
        void findsFirstLetterAndLettersBehindOthers() {
            Parked own = ofSagas("a", SAGA, SAGA);
            Parked behindOther = ofSagas("b", OTHER_SAGA, SAGA);
            Parked behindNone = ofSagas("c", null, null, SAGA);
            commit(parkWrites(List.of(own, behindOther, behindNone)));

            assertThat(find(SAGA))
                    .isEqualTo(Map.of(
                            SAGA, all(letter(own, 0), letter(own, 1), letter(behindOther, 1), letter(behindNone, 2))));
            assertThat(found(SAGA)).extracting(SagaLetter::isFirst).containsExactly(true, false, false, false);
        }

        @Test
        void namesEventProcessorAndSequence() {
            Parked parked = ofSagas("a", null, SAGA);
            commit(parked.writes());

            assertThat(find(SAGA))
                    .isEqualTo(Map.of(
                            SAGA,
                            all(new SagaLetter(
                                    parked.letters().get(1).id(),
                                    parked.letters().get(1).message().id(),
                                    CONSUMER,
                                    SequenceState.RETRYING,
                                    false,
                                    now()))));
        }

        @Test
        void findsLettersOfAllComponentsAndProcessors() {
            Parked one = ofSagas("a", SAGA);
            EventMessage event = one.letters().get(0).message();
            Parked ofOtherComponent = fixture().parked(CONSUMER, OTHER_COMPONENT, "a", List.of(event));
            Parked ofOtherProcessor = fixture().parked("shipping", "kit/shipping/a", "a", List.of(event("a", SAGA)));
            commit(parkWrites(List.of(ofOtherProcessor, ofOtherComponent, one)));

            assertThat(find(SAGA))
                    .isEqualTo(Map.of(
                            SAGA, all(letter(one, 0), letter(ofOtherComponent, 0), letter(ofOtherProcessor, 0))));
        }

        @Test
        void findsLettersOfAllSegments() {
            List<Parked> parked = IntStream.range(0, 8)
                    .mapToObj(i -> ofSagas("sequence-" + i, SAGA))
                    .toList();
            assertThat(parked.stream().map(it -> it.sequence().hash()))
                    .as("both of two segments")
                    .anyMatch(hash -> Segments.covers(hash, 0, 1))
                    .anyMatch(hash -> Segments.covers(hash, 1, 1));

            commit(parkWrites(parked));

            assertThat(find(SAGA))
                    .isEqualTo(Map.of(
                            SAGA, all(parked.stream().map(it -> letter(it, 0)).toArray(SagaLetter[]::new))));
        }

        @Test
        void returnsPendingOnesFirstThenOldestFirst() {
            Parked oldest = ofSagas("d", SAGA).with(it -> it.held("breaker", now(), now()));
            harness().passTime(Duration.ofSeconds(1));
            Parked older = ofSagas("c", null, SAGA).with(it -> it.pending(1, now()));
            harness().passTime(Duration.ofSeconds(1));
            Parked newer = ofSagas("b", SAGA).with(it -> it.pending(1, now()));
            Parked newest = ofSagas("a", SAGA);
            commit(parkWrites(List.of(newest, newer, older, oldest)));

            assertThat(find(SAGA))
                    .isEqualTo(Map.of(
                            SAGA, all(letter(older, 1), letter(newer, 0), letter(oldest, 0), letter(newest, 0))));
            assertThat(found(SAGA))
                    .extracting(SagaLetter::state)
                    .containsExactly(
                            SequenceState.PENDING, SequenceState.PENDING, SequenceState.HELD, SequenceState.RETRYING);
        }

        @Test
        void limitsLettersPerSagaAndCountsAll() {
            Parked many = ofSagas("a", Collections.nCopies(25, SAGA).toArray(String[]::new));
            Parked mixed = ofSagas("b", SAGA, OTHER_SAGA, OTHER_SAGA, OTHER_SAGA);
            Parked pending = ofSagas("c", SAGA).with(it -> it.pending(1, now()));
            commit(parkWrites(List.of(many, mixed, pending)));

            assertThat(letterStore().findSagaLetters(List.of(SAGA, OTHER_SAGA), 3))
                    .isEqualTo(Map.of(
                            SAGA,
                            new SagaLetters(List.of(letter(pending, 0), letter(many, 0), letter(many, 1)), 27),
                            OTHER_SAGA,
                            all(letter(mixed, 1), letter(mixed, 2), letter(mixed, 3))));
            assertThat(letterStore().findSagaLetters(List.of(SAGA), 1))
                    .isEqualTo(Map.of(SAGA, new SagaLetters(List.of(letter(pending, 0)), 27)));
        }

        @Test
        void anotherReplicaFindsThem() {
            Parked parked = ofSagas("a", null, SAGA);
            commit(parked.writes());

            assertThat(replica().deadLetterStore().findSagaLetters(List.of(SAGA), MOST))
                    .isEqualTo(Map.of(SAGA, all(letter(parked, 1))));
        }

        @Test
        void returnsNothingThatIsNotCommitted() {
            assertThat(writer().rejections(unit(ofSagas("a", SAGA).writes()))).isEmpty();

            assertThat(find(SAGA)).isEmpty();
        }
    }

    @Nested
    class Ids {

        @Test
        void ignoresUnknownAndRepeatedIds() {
            Parked parked = ofSagas("a", SAGA, null, OTHER_SAGA);
            commit(parked.writes());

            assertThat(find("unknown", SAGA, "null", "", SAGA)).isEqualTo(Map.of(SAGA, all(letter(parked, 0))));
            assertThat(find("unknown")).isEmpty();
            assertThat(find()).isEmpty();
        }

        @Test
        void findsLettersOfThousandSagasInOneCall() {
            List<String> sagas =
                    IntStream.range(0, 1_000).mapToObj(i -> "saga-" + i).toList();
            List<Parked> parked = new ArrayList<>();
            Map<String, SagaLetters> expected = new HashMap<>();
            for (int i = 0; i < 600; i += 2) {
                Parked both = ofSagas("sequence-" + i, sagas.get(i), sagas.get(i + 1));
                parked.add(both);
                expected.put(sagas.get(i), all(letter(both, 0)));
                expected.put(sagas.get(i + 1), all(letter(both, 1)));
            }
            commit(parkWrites(parked));

            assertThat(letterStore().findSagaLetters(sagas, MOST)).isEqualTo(expected);
        }

        @Test
        void distinguishesSimilarIds() {
            List<String> ids = List.of(
                    "a",
                    "A",
                    "a ",
                    " a",
                    "ä",
                    "a\u0308",
                    "%",
                    "a_",
                    "\"",
                    "\\",
                    "\\\"",
                    "a\\",
                    "'",
                    "\n",
                    "\t\u0001",
                    "\\n",
                    "\\u0041",
                    "\"sagaId\":\"a\"",
                    "😀",
                    "\u2028\uffff",
                    "null");
            Map<String, SagaLetters> expected = new HashMap<>();
            List<Parked> parked = new ArrayList<>();
            for (String id : ids) {
                Parked one = ofSagas("sequence-" + parked.size(), id);
                parked.add(one);
                expected.put(id, all(letter(one, 0)));
            }
            commit(parkWrites(parked));

            assertThat(letterStore().findSagaLetters(ids, MOST)).isEqualTo(expected);
            assertThat(find("b", "á", "_", "Ä", "sagaId", "\\\\")).isEmpty();
        }

        @Test
        void ignoresOtherMetadata() {
            EventMessage event = fixture().event("notes", "a", 1);
            Metadata metadata = event.metadata()
                    .withCorrelationId(SAGA)
                    .with("sagaid", SAGA)
                    .with("own", "\"sagaId\":\"" + SAGA + "\"");
            Parked parked = fixture().parked(CONSUMER, COMPONENT, "a", List.of(with(event, metadata)));
            commit(parked.writes());

            assertThat(find(SAGA)).isEmpty();
        }

        /** A store may compress a text that repeats itself, and so hide a limit of its index. */
        @Test
        void mayBeAsLongAsMetadata() {
            String start = new Random(1)
                    .ints(Metadata.MAX_CHARACTERS / 2, 'A', 'z')
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining());
            Parked one = ofSagas("a", start + "1");
            Parked other = ofSagas("b", start + "2");

            commit(parkWrites(List.of(one, other)));

            assertThat(find(start + "1")).isEqualTo(Map.of(start + "1", all(letter(one, 0))));
        }

        @Test
        void ignoresIdsThatCannotBeStored() {
            Parked parked = ofSagas("a", SAGA, "?");
            commit(parked.writes());

            assertThat(find("\0", SAGA, "\ud83d")).isEqualTo(Map.of(SAGA, all(letter(parked, 0))));
            assertThat(find("\0", "\ude00")).isEmpty();
        }
    }

    @Nested
    class Changing {

        @Test
        void followsStateOfSequence() {
            Parked parked = ofSagas("a", OTHER_SAGA, SAGA);
            commit(parked.writes());

            Parked held = parked.with(it -> it.held("breaker", now(), now()));
            commit(updateWrites(parked, it -> held.sequence()));
            assertThat(find(SAGA)).isEqualTo(Map.of(SAGA, all(letter(held, 1))));

            Parked pending = held.with(it -> it.pending(3, now()));
            commit(updateWrites(parked, it -> pending.sequence()));
            assertThat(find(SAGA)).isEqualTo(Map.of(SAGA, all(letter(pending, 1))));
        }

        @Test
        void findsLetterThatIsParkedBehindLater() {
            Parked parked = ofSagas("a", (String) null);
            commit(parked.writes());
            DeadLetter behind = DeadLetter.notAttempted(parked.id(), 2, event("a", SAGA), now());

            commit(appendWrites(parked, behind));

            assertThat(find(SAGA)).isEqualTo(Map.of(SAGA, all(letter(withLetter(parked, behind), 1))));
        }

        @Test
        void forgetsReplayedLetter() {
            Parked parked = ofSagas("a", SAGA, OTHER_SAGA);
            commit(parked.writes());

            commit(removeFirstWrites(parked));

            assertThat(find(SAGA, OTHER_SAGA))
                    .as("the next letter is first now")
                    .isEqualTo(Map.of(OTHER_SAGA, all(letter(withoutFirst(parked), 0))));
        }

        @Test
        void forgetsDrainedSequence() {
            Parked parked = ofSagas("a", SAGA, SAGA, OTHER_SAGA);
            commit(parked.writes());

            commit(parked.removeWrites());

            assertThat(find(SAGA, OTHER_SAGA)).isEmpty();
        }

        @Test
        void forgetsLettersThatAnotherCallerRemoves() {
            Parked discarded = ofSagas("a", SAGA, OTHER_SAGA);
            Parked evicted = ofSagas("b", SAGA);
            Parked kept = ofSagas("c", SAGA);
            commit(parkWrites(List.of(discarded, evicted, kept)));

            letterStore().change(CONSUMER, parked -> removeFirstWrites(discarded));
            letterStore().change(CONSUMER, parked -> evicted.removeWrites());

            assertThat(find(SAGA, OTHER_SAGA))
                    .isEqualTo(Map.of(SAGA, all(letter(kept, 0)), OTHER_SAGA, all(letter(withoutFirst(discarded), 0))));
        }

        @Test
        void findsLettersThatAnotherCallerAdds() {
            Parked parked = ofSagas("a", SAGA).with(it -> it.pending(1, now()));

            letterStore().change(CONSUMER, reads -> parked.writes());

            assertThat(find(SAGA)).isEqualTo(Map.of(SAGA, all(letter(parked, 0))));
        }

        @Test
        void returnsLetterThatFailedAgainOnce() {
            Parked parked = ofSagas("a", SAGA);
            commit(parked.writes());
            DeadLetter failed = parked.letters().get(0).failed(new Cause("Bang", null, ""), "kit", now());

            commit(replaceWrites(parked, failed));

            assertThat(find(SAGA)).isEqualTo(Map.of(SAGA, all(letter(parked, 0))));
        }

        @Test
        void followsMetadataOfReplacedLetter() {
            Parked parked = ofSagas("a", SAGA);
            commit(parked.writes());
            DeadLetter before = parked.letters().get(0);
            EventMessage message =
                    with(before.message(), before.message().metadata().withSaga("Order", OTHER_SAGA));
            DeadLetter replaced = DeadLetter.notAttempted(before.sequence(), before.number(), message, now());

            commit(replaceWrites(parked, replaced));

            assertThat(find(SAGA, OTHER_SAGA)).isEqualTo(Map.of(OTHER_SAGA, all(letter(parked, 0))));
        }

        private LetterWrites replaceWrites(Parked parked, DeadLetter replaced) {
            return new LetterWrites(List.of(), List.of(replaced), List.of(), List.of(parked.sequence()), List.of());
        }

        @Test
        void findsEventThatIsParkedAgain() {
            Parked parked = ofSagas("a", SAGA);
            commit(parked.writes());
            commit(parked.removeWrites());

            commit(parked.writes());

            assertThat(find(SAGA)).isEqualTo(Map.of(SAGA, all(letter(parked, 0))));
        }

        @Test
        void forgetsLettersThatResetClears() {
            Parked before = ofSagas("a", SAGA);
            Parked both = ofSagas("b", OTHER_SAGA, SAGA);
            Parked after = ofSagas("c", SAGA, OTHER_SAGA);
            commit(parkWrites(List.of(before, both, after)));

            assertThat(store().tokenStore().reset(CONSUMER, 1, Map.of("notes", at(2))))
                    .isTrue();

            assertThat(find(SAGA, OTHER_SAGA))
                    .isEqualTo(Map.of(SAGA, all(letter(before, 0)), OTHER_SAGA, all(letter(both, 0))));
        }
    }
}

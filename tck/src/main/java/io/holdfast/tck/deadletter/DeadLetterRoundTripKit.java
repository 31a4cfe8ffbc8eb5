package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.token.Segments;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A letter and the state of its sequence are read exactly as they were written. */
public abstract class DeadLetterRoundTripKit extends DeadLetterKit {

    @Nested
    class Letters {

        private static final String ODD = "Grüße, 世界 😀 \"quoted\" 'single' \\ \n\t%_ \u2028 \u007f";

        @Test
        @Lines(6)
        void areStoredCompletely() {
            Instant time = Instant.parse("2026-02-03T04:05:06.789012Z");
            EventMessage message = new EventMessage(
                    EventIds.random(time),
                    "another-service",
                    "notes",
                    ODD.strip(),
                    Long.MAX_VALUE,
                    time.plusNanos(1_000),
                    Metadata.none()
                            .withCorrelationId(ODD)
                            .withSaga("Order", "saga-1")
                            .withStepNumber(3)
                            .with("own", ""),
                    new Payload("UnknownType", 7, "{\"text\":\"Grüße, 世界 😀\", \"n\":1.50}"),
                    new LogPosition(ParkedLetters.LOG, 1L << 40, 12, EventIds.random(time)));
            DeadLetter letter = new DeadLetter(
                    new SequenceId(COMPONENT, ODD),
                    1,
                    message,
                    new Cause("java.lang.IllegalStateException", ODD, "at " + ODD + "\n\tat other"),
                    time.plusNanos(2_000),
                    time.plusNanos(3_000),
                    List.of(new Attempt(time.plusNanos(4_000), ODD, ODD), new Attempt(time.plusNanos(5_000), "", "")),
                    Map.of("why", ODD, "empty", ""),
                    3);

            assertRoundTrip(letter);
        }

        @Test
        void keepCauseChain() {
            Exception root = new IllegalStateException(ODD);
            Exception middle = new IllegalArgumentException(null, root);

            Cause cause = Cause.of(new RuntimeException("", middle));

            assertThat(cause.chain())
                    .containsExactly("java.lang.IllegalArgumentException", "java.lang.IllegalStateException: " + ODD);
            assertRoundTrip(letter(cause));
        }

        @Test
        void keepLongestPossibleCauseChain() {
            List<String> chain = Collections.nCopies(Cause.MAX_CHAIN, "ü".repeat(2 * Cause.MAX_MESSAGE));

            assertRoundTrip(letter(new Cause("Boom", "no luck", "at kit", chain)));
        }

        @Test
        void keepLinesOfCauseChainSeparate() {
            assertRoundTrip(letter(new Cause("Boom", null, "", List.of("", "two\nlines", "", "a,b", "[\"c\"]"))));
        }

        @Test
        void keepOriginOfAttempts() {
            DeadLetter attempted = letter(null);
            for (String origin : List.of("replica-1", "", ODD, "alice@example.org")) {
                attempted = attempted.failed(new Cause("Boom", null, ""), origin, now());
            }

            assertRoundTrip(attempted);

            assertThat(letterStore().findLetter(COMPONENT, attempted.message().id()))
                    .hasValueSatisfying(stored -> assertThat(stored.attempts())
                            .extracting(Attempt::by)
                            .endsWith("replica-1", "", ODD, "alice@example.org"));
        }

        @Test
        void mayHaveNoCause() {
            assertRoundTrip(DeadLetter.notAttempted(
                    new SequenceId(COMPONENT, "a"), 1, fixture().event("notes", "a", 1), now()));
        }

        @Test
        void mayHaveCauseWithoutMessage() {
            assertRoundTrip(letter(new Cause("java.lang.NullPointerException", null, "")));
        }

        @Test
        void distinguishEmptyMessageFromMissingOne() {
            assertRoundTrip(letter(new Cause("java.lang.IllegalStateException", "", "at kit")));
        }

        @Test
        void keepLongTexts() {
            String name = "界".repeat(SequenceId.MAX_LENGTH);
            DeadLetter letter = letter(new Cause("java.lang.Error", "ü".repeat(5_000), "😀".repeat(20_000)));
            for (int attempt = 0; attempt < DeadLetter.MAX_ATTEMPTS + 5; attempt++) {
                letter = letter.failed(new Cause("Boom", "ö".repeat(Cause.MAX_MESSAGE), "at kit"), "kit", now());
            }
            String json = "{\"text\":\"" + "ß".repeat(120_000) + "\"}";

            assertRoundTrip(new DeadLetter(
                    new SequenceId(COMPONENT, name),
                    1,
                    withPayload(letter.message(), new Payload("Long", 1, json)),
                    letter.cause(),
                    letter.enqueuedAt(),
                    letter.lastTouched(),
                    letter.attempts(),
                    Map.of("long", "d".repeat(10_000))));
        }

        @Test
        void keepUnstorableCharactersReadable() {
            assertRoundTrip(letter(Cause.of(new IllegalStateException("nul \0 and half \uD83D of a pair"))));
        }

        @Test
        void mayHaveEventWithoutContent() {
            EventMessage event = fixture().event("notes", "a", 5).withoutContent();

            assertRoundTrip(DeadLetter.notAttempted(new SequenceId(COMPONENT, "a"), 1, event, now()));
        }

        private DeadLetter letter(@Nullable Cause cause) {
            DeadLetter plain = parked("a", 1).letters().get(0);
            return new DeadLetter(
                    plain.sequence(),
                    1,
                    plain.message(),
                    cause,
                    plain.enqueuedAt(),
                    plain.lastTouched(),
                    plain.attempts(),
                    plain.diagnostics());
        }

        private EventMessage withPayload(EventMessage event, Payload payload) {
            return new EventMessage(
                    event.id(),
                    event.source(),
                    event.stream(),
                    event.key(),
                    event.version(),
                    event.occurredAt(),
                    event.metadata(),
                    payload,
                    event.logPosition());
        }

        private void assertRoundTrip(DeadLetter letter) {
            ParkedSequence sequence = new ParkedSequence(
                    letter.sequence(),
                    "billing",
                    Segments.hash(letter.sequence().sequence()),
                    1,
                    1,
                    1,
                    SequenceState.PENDING,
                    1,
                    letter.lastTouched(),
                    letter.enqueuedAt(),
                    null,
                    null,
                    null,
                    null);

            commit(new LetterWrites(List.of(letter), List.of(), List.of(), List.of(sequence), List.of()));

            assertThat(letterStore().findLetters(letter.sequence(), 0, ALL)).containsExactly(letter);
            assertThat(letterStore().find(letter.sequence())).contains(sequence);
            assertThat(letterStore().findLetter(COMPONENT, letter.message().id()))
                    .contains(letter);
        }
    }

    @Nested
    class Sequences {

        @Test
        void keepEveryState() {
            Instant time = Instant.parse("2026-02-03T04:05:06.789012Z");
            Parked parked = parked("a", 1);
            ParkedSequence plain = parked.sequence();
            commit(parked.writes());
            for (ParkedSequence state : List.of(
                    plain.retrying(7, time),
                    plain.held("payments-breaker", time.plusNanos(1_000), time.plusNanos(2_000)),
                    plain.pending(Integer.MAX_VALUE, time),
                    plain.awaiting("OrderPlaced@1", time.plusNanos(1_000), time.plusNanos(2_000)),
                    plain.pendingAndAwaiting(ParkedSequence.ANY_VERSION, time, time.plusNanos(3_000)),
                    plain.shortened(1, 1, time, time),
                    plain.pending(2, time).retrying(3, time), // escalated
                    new ParkedSequence(
                            plain.id(),
                            "billing",
                            Integer.MIN_VALUE,
                            1,
                            1L << 40,
                            Integer.MAX_VALUE,
                            SequenceState.HELD,
                            0,
                            time,
                            time,
                            "Grüße",
                            null,
                            "Bestellt@2",
                            null))) {
                commit(updateWrites(parked, before -> state));

                assertThat(letterStore().find(plain.id())).contains(state);
                assertThat(StoredSequences.findAll(letterStore(), CONSUMER)).containsExactly(state);
                assertThat(letterStore().findSequences(List.of(plain.id()))).containsExactly(state);
                assertThat(letterStore().findByNextAttempt(COMPONENT, null, ALL))
                        .containsExactly(state);
                assertThat(letterStore().findByAge(COMPONENT, null, ALL)).containsExactly(state);
            }
        }
    }
}

package io.holdfast.tck;

import static io.holdfast.tck.ParkedLetters.at;
import static io.holdfast.tck.ParkedLetters.parking;
import static io.holdfast.tck.StoreWriter.letters;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.Refusal;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPlace;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.tck.ParkedLetters.Parked;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link DeadLetterStore}, and of the letters that a commit carries. */
public abstract class DeadLetterStoreKit extends StoreKit {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Segment SEGMENT = new Segment("billing", 0);
    private static final String COMPONENT = "kit/billing/invoices";
    private static final int ALL = 10_000;

    private TokenClaim claim = new TokenClaim(SEGMENT, "nobody", 0);

    @BeforeEach
    void claimTheSegment() {
        store().tokenStore().initialize(SEGMENT, Map.of("notes", at(0)));
        claim = store().tokenStore().claim(SEGMENT, "one", LEASE).orElseThrow();
    }

    private DeadLetterStore queue() {
        return store().deadLetterStore();
    }

    private ParkedLetters fixture() {
        return new ParkedLetters(harness().clock(), codec);
    }

    private Parked parked(String sequence, long... positions) {
        return fixture().parked("billing", COMPONENT, sequence, "notes", positions);
    }

    private long version() {
        return store().tokenStore().find(SEGMENT).orElseThrow().version();
    }

    /** The unit that carries these letters, from where the token is. */
    private UnitWrites unit(LetterWrites writes) {
        return letters(advance(), writes);
    }

    private TokenAdvance advance() {
        return new TokenAdvance(claim, version(), Map.of("notes", at(version() + 1)));
    }

    private void commit(LetterWrites writes) {
        writer().commit(unit(writes));
    }

    private void assertParked(Parked parked) {
        assertThat(queue().find(parked.id())).contains(parked.sequence());
        assertThat(queue().findLetters(parked.id(), 0, ALL)).isEqualTo(parked.letters());
    }

    private void assertNotParked(SequenceId sequence) {
        assertThat(queue().find(sequence)).isEmpty();
        assertThat(queue().findLetters(sequence, 0, ALL)).isEmpty();
        assertThat(queue().findSequences("billing", 0, 0))
                .extracting(ParkedSequence::id)
                .doesNotContain(sequence);
    }

    private static LetterWrites replaced(ParkedSequence sequence, DeadLetter letter) {
        return new LetterWrites(List.of(), List.of(letter), List.of(), List.of(sequence), List.of());
    }

    private static LetterId id(DeadLetter letter) {
        return new LetterId(letter.sequence(), letter.number());
    }

    @Nested
    class Parking {

        @Test
        void findsNothingBefore() {
            assertNotParked(new SequenceId(COMPONENT, "a"));
            assertThat(queue().findSequences("billing", 0, 0)).isEmpty();
        }

        @Test
        void startsASequence() {
            Parked parked = parked("a", 1);

            commit(parked.writes());

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
        }

        @Test
        void appendsToASequence() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());
            DeadLetter behind = DeadLetter.behind(
                    parked.id(),
                    3,
                    fixture().event("notes", "a", 3),
                    harness().clock().instant());

            ParkedSequence grown = parked.sequence().grown();
            commit(new LetterWrites(List.of(behind), List.of(), List.of(), List.of(grown), List.of()));

            List<DeadLetter> all = new ArrayList<>(parked.letters());
            all.add(behind);
            assertParked(new Parked(grown, all));
        }

        @Test
        void keepsTheOrderOfTheNumbers() {
            Parked parked = parked("a", LongStream.rangeClosed(1, 120).toArray());

            commit(parked.writes());

            assertThat(queue().findLetters(parked.id(), 0, ALL))
                    .extracting(DeadLetter::number)
                    .isEqualTo(LongStream.rangeClosed(1, 120).boxed().toList());
            assertParked(parked);
        }

        @Test
        void byTwoUnitsTogetherFollowsOneAnother() {
            Parked first = parked("a", 1);
            DeadLetter behind = DeadLetter.behind(
                    first.id(),
                    2,
                    fixture().event("notes", "a", 2),
                    harness().clock().instant());
            ParkedSequence grown = first.sequence().grown();

            writer().commit(
                            letters(new TokenAdvance(claim, 0, Map.of()), first.writes()),
                            letters(
                                    new TokenAdvance(claim, 1, Map.of()),
                                    new LetterWrites(
                                            List.of(behind), List.of(), List.of(), List.of(grown), List.of())));

            assertParked(new Parked(grown, List.of(first.letters().get(0), behind)));
        }

        @Test
        void isSeenByAnotherProcess() {
            DeadLetterStore elsewhere = replica().deadLetterStore();
            Parked parked = parked("a", 1, 2);

            commit(parked.writes());

            assertThat(elsewhere.find(parked.id())).contains(parked.sequence());
            assertThat(elsewhere.findLetters(parked.id(), 0, ALL)).isEqualTo(parked.letters());
        }
    }

    @Nested
    class AllOrNothing {

        @Test
        void isNotSeenBeforeItIsCommitted() {
            Parked parked = parked("a", 1);

            assertThat(writer().refusals(unit(parked.writes()))).isEmpty();

            assertNotParked(parked.id());
            assertThat(version()).isZero();
        }

        @Test
        void commitsWithEffectsAndPosition() {
            Parked parked = parked("a", 1);

            writer().commit(withEvent("effect", parked.writes()));

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
            assertThat(effects()).containsExactly("effect");
        }

        @Test
        void isRefusedUnderAnOldFence() {
            Parked parked = parked("a", 1);
            UnitWrites stale = withEvent("effect", parked.writes());
            claim = store().tokenStore().claim(SEGMENT, "one", LEASE).orElseThrow();

            assertRefused(stale, parked);
        }

        @Test
        void isRefusedFromAnotherVersion() {
            Parked parked = parked("a", 1);
            UnitWrites stale = withEvent("effect", parked.writes());
            commit(parked("b", 2).writes());

            assertRefused(stale, parked);
        }

        @Test
        void isRefusedWithTheEffectsOfItsUnit() {
            Parked parked = parked("a", 1);
            writer().append("effects", "effect", 1);

            List<Refusal> refusals = writer().refusals(withEvent("effect", parked.writes()));

            assertThat(refusals).singleElement().extracting(Refusal::kind).isEqualTo(Refusal.Kind.CONFLICT);
            assertNotParked(parked.id());
            assertThat(version()).isZero();
        }

        @Test
        void leavesNothingAfterACrashBeforeTheCommit() {
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
        void leavesEverythingAfterACrashAfterTheCommit() {
            Parked parked = parked("a", 1, 2);

            Crash.after(CommitPoint.COMMIT, harness(), () -> writer().commit(withEvent("effect", parked.writes())));

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
            assertThat(effects()).containsExactly("effect");
        }

        @Test
        void comesToTheLettersBetweenTokensAndSnapshots() {
            require(Capability.CRASH_POINTS);
            List<CommitPoint> passed = new ArrayList<>();
            harness().crashPoints().doAt(new CrashPoints.Moment(CommitPoint.WRITE_TOKENS, true), () -> harness()
                    .crashPoints()
                    .doAt(new CrashPoints.Moment(CommitPoint.WRITE_LETTERS, true), () -> harness()
                            .crashPoints()
                            .doAt(
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

        private void assertRefused(UnitWrites unit, Parked parked) {
            assertThat(writer().refusals(unit)).singleElement().satisfies(refusal -> {
                assertThat(refusal.kind()).isEqualTo(Refusal.Kind.REJECTED);
                assertThat(refusal.cause()).isInstanceOf(StaleTokenException.class);
            });
            assertNotParked(parked.id());
            assertThat(effects()).isEmpty();
        }
    }

    @Nested
    class RoundTrip {

        private static final String ODD = "Grüße, 世界 😀 \"quoted\" 'single' \\ \n\t%_ \u2028 \u007f";

        @Test
        void keepsALetterWhole() {
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
                    new Payload("NobodyKnowsThisType", 7, "{\"text\":\"Grüße, 世界 😀\", \"n\":1.50}"),
                    new LogPlace(ParkedLetters.LOG, 1L << 40, 12, EventIds.random(time)));
            DeadLetter letter = new DeadLetter(
                    new SequenceId(COMPONENT, ODD),
                    1,
                    message,
                    new Cause("java.lang.IllegalStateException", ODD, "at " + ODD + "\n\tat other"),
                    time.plusNanos(2_000),
                    time.plusNanos(3_000),
                    List.of(new Attempt(time.plusNanos(4_000), ODD), new Attempt(time.plusNanos(5_000), "")),
                    Map.of("why", ODD, "empty", ""));

            assertKept(letter);
        }

        @Test
        void keepsALetterWithoutACause() {
            assertKept(DeadLetter.behind(
                    new SequenceId(COMPONENT, "a"),
                    1,
                    fixture().event("notes", "a", 1),
                    harness().clock().instant()));
        }

        @Test
        void keepsACauseWithoutAMessage() {
            assertKept(letter(new Cause("java.lang.NullPointerException", null, "")));
        }

        @Test
        void tellsACauseWithAnEmptyMessageFromOneWithout() {
            assertKept(letter(new Cause("java.lang.IllegalStateException", "", "at kit")));
        }

        @Test
        void keepsLongTexts() {
            String name = "界".repeat(SequenceId.MAX_LENGTH);
            DeadLetter letter = letter(new Cause("java.lang.Error", "ü".repeat(5_000), "😀".repeat(20_000)));
            for (int attempt = 0; attempt < DeadLetter.MAX_ATTEMPTS + 5; attempt++) {
                letter = letter.failed(
                        new Cause("Boom", "ö".repeat(Cause.MAX_MESSAGE), "at kit"),
                        harness().clock().instant());
            }
            String json = "{\"text\":\"" + "ß".repeat(120_000) + "\"}";

            assertKept(new DeadLetter(
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
        void keepsWhatNoDatabaseTakesReadable() {
            assertKept(letter(Cause.of(new IllegalStateException("nul \0 and half \uD83D of a pair"))));
        }

        @Test
        void keepsAnEventWithoutContent() {
            EventMessage event = fixture().event("notes", "a", 5).withoutContent();

            assertKept(DeadLetter.behind(
                    new SequenceId(COMPONENT, "a"), 1, event, harness().clock().instant()));
        }

        @Test
        void keepsEveryStateOfASequence() {
            Instant time = Instant.parse("2026-02-03T04:05:06.789012Z");
            Parked parked = parked("a", 1);
            ParkedSequence plain = parked.sequence();
            commit(parked.writes());
            for (ParkedSequence state : List.of(
                    plain.retrying(7, time),
                    plain.held("payments-breaker", time.plusNanos(1_000), time.plusNanos(2_000)),
                    plain.pending(Integer.MAX_VALUE),
                    plain.shortened(1, 1, time),
                    new ParkedSequence(
                            plain.id(),
                            "billing",
                            Integer.MIN_VALUE,
                            1,
                            1L << 40,
                            Integer.MAX_VALUE,
                            SequenceState.HELD,
                            0,
                            null,
                            "Grüße",
                            null))) {
                commit(sequence(state));

                assertThat(queue().find(plain.id())).contains(state);
                assertThat(queue().findSequences("billing", 0, 0)).containsExactly(state);
            }
        }

        private LetterWrites sequence(ParkedSequence state) {
            return new LetterWrites(List.of(), List.of(), List.of(), List.of(state), List.of());
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
                    event.sequence(),
                    event.occurredAt(),
                    event.metadata(),
                    payload,
                    event.place());
        }

        private void assertKept(DeadLetter letter) {
            ParkedSequence sequence = new ParkedSequence(
                    letter.sequence(),
                    "billing",
                    Segments.hash(letter.sequence().sequence()),
                    1,
                    1,
                    1,
                    SequenceState.PENDING,
                    1,
                    null,
                    null,
                    null);

            commit(new LetterWrites(List.of(letter), List.of(), List.of(), List.of(sequence), List.of()));

            assertThat(queue().findLetters(letter.sequence(), 0, ALL)).containsExactly(letter);
            assertThat(queue().find(letter.sequence())).contains(sequence);
        }
    }

    @Nested
    class Changing {

        @Test
        void replacesALetterThatWasTriedAgain() {
            Parked parked = parked("a", 1, 2, 3);
            commit(parked.writes());
            harness().passTime(Duration.ofSeconds(5));
            Instant now = harness().clock().instant();
            DeadLetter tried = parked.letters().get(0).failed(new Cause("Bang", null, "at kit"), now);
            ParkedSequence retrying = parked.sequence().retrying(2, now.plusSeconds(9));

            commit(replaced(retrying, tried));

            assertParked(new Parked(
                    retrying,
                    List.of(tried, parked.letters().get(1), parked.letters().get(2))));
        }

        @Test
        void replacesNothingThatIsNotThere() {
            Parked parked = parked("a", 1);
            commit(parked.writes());
            DeadLetter unknown = parked("a", 9, 10).letters().get(1);

            commit(replaced(parked.sequence(), unknown));

            assertParked(parked);
        }

        @Test
        void removesTheFirstLetters() {
            Parked parked = parked("a", 1, 2, 3);
            commit(parked.writes());
            Instant now = harness().clock().instant();
            ParkedSequence shortened = parked.sequence().shortened(3, 1, now);

            commit(new LetterWrites(
                    List.of(),
                    List.of(),
                    List.of(id(parked.letters().get(0)), id(parked.letters().get(1))),
                    List.of(shortened),
                    List.of()));

            assertParked(new Parked(shortened, List.of(parked.letters().get(2))));
        }

        @Test
        void endsASequence() {
            Parked parked = parked("a", 1, 2);
            Parked other = parked("b", 3);
            commit(parking(List.of(parked, other)));

            commit(ended(parked));

            assertNotParked(parked.id());
            assertParked(other);
        }

        @Test
        void letsAnEndedSequenceBeginAgain() {
            Parked first = parked("a", 1, 2);
            commit(first.writes());
            commit(ended(first));
            Parked again = parked("a", 5, 6);

            commit(again.writes());

            assertParked(again);
        }

        @Test
        void letsAnEndedSequenceBeginAgainInTheSameCommit() {
            Parked first = parked("a", 1, 2);
            commit(first.writes());
            Parked again = parked("a", 5, 6);

            writer().commit(
                            letters(new TokenAdvance(claim, 1, Map.of()), ended(first)),
                            letters(new TokenAdvance(claim, 2, Map.of()), again.writes()));

            assertParked(again);
        }

        @Test
        void letsASequenceBeginAndEndInTheSameCommit() {
            Parked parked = parked("a", 1, 2);

            writer().commit(
                            letters(new TokenAdvance(claim, 0, Map.of()), parked.writes()),
                            letters(new TokenAdvance(claim, 1, Map.of()), ended(parked)));

            assertNotParked(parked.id());
        }

        @Test
        void appendsAndRemovesInOneUnit() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());
            Instant now = harness().clock().instant();
            DeadLetter behind = DeadLetter.behind(parked.id(), 3, fixture().event("notes", "a", 3), now);
            ParkedSequence after = parked.sequence().grown().shortened(2, 2, now);

            commit(new LetterWrites(
                    List.of(behind), List.of(), List.of(id(parked.letters().get(0))), List.of(after), List.of()));

            assertParked(new Parked(after, List.of(parked.letters().get(1), behind)));
        }

        @Test
        void givesTheNumberOfALetterThatLeavesToAnother() {
            Parked first = parked("a", 1);
            commit(first.writes());
            Parked other = parked("a", 5);

            commit(new LetterWrites(
                    other.letters(),
                    List.of(),
                    List.of(id(first.letters().get(0))),
                    List.of(other.sequence()),
                    List.of()));

            assertParked(other);
        }

        @Test
        void isUndoneByACrashBeforeTheCommit() {
            Parked parked = parked("a", 1, 2);
            commit(parked.writes());

            Crash.before(CommitPoint.COMMIT, harness(), () -> commit(ended(parked)));

            assertParked(parked);
        }

        private LetterWrites ended(Parked parked) {
            return new LetterWrites(
                    List.of(),
                    List.of(),
                    parked.letters().stream().map(DeadLetterStoreKit::id).toList(),
                    List.of(),
                    List.of(parked.id()));
        }
    }

    @Nested
    class TheSameEvent {

        @Test
        void isParkedOncePerComponent() {
            Parked parked = parked("a", 1);
            commit(parked.writes());
            Parked elsewhere = fixture()
                    .parked(
                            "billing",
                            COMPONENT,
                            "b",
                            List.of(parked.letters().get(0).message()));

            assertNotWritten(elsewhere.writes());

            assertParked(parked);
            assertNotParked(elsewhere.id());
            assertThat(version()).isEqualTo(1);
        }

        @Test
        void isParkedOnceByTwoUnitsTogether() {
            Parked parked = parked("a", 1);
            Parked elsewhere = fixture()
                    .parked(
                            "billing",
                            COMPONENT,
                            "b",
                            List.of(parked.letters().get(0).message()));

            assertThat(canBeWritten(
                            letters(new TokenAdvance(claim, 0, Map.of()), parked.writes()),
                            letters(new TokenAdvance(claim, 1, Map.of()), elsewhere.writes())))
                    .isFalse();
        }

        @Test
        void isParkedByEveryComponent() {
            Parked first = parked("a", 1);
            Parked second = fixture()
                    .parked(
                            "billing",
                            "kit/billing/reminders",
                            "a",
                            List.of(first.letters().get(0).message()));

            commit(parking(List.of(first, second)));

            assertParked(first);
            assertParked(second);
        }

        @Test
        void isParkedAgainAfterItLeft() {
            Parked parked = parked("a", 1);
            commit(parked.writes());
            commit(new LetterWrites(
                    List.of(), List.of(), List.of(id(parked.letters().get(0))), List.of(), List.of(parked.id())));

            commit(parked.writes());

            assertParked(parked);
        }

        @Test
        void doesNotTakeTheNumberOfAnother() {
            Parked parked = parked("a", 1);
            commit(parked.writes());

            assertNotWritten(parked("a", 2).writes());

            assertParked(parked);
            assertThat(version()).isEqualTo(1);
        }

        private void assertNotWritten(LetterWrites writes) {
            assertThat(canBeWritten(unit(writes))).isFalse();
        }

        /** A store may say which unit it refuses, or only that it cannot write. */
        private boolean canBeWritten(UnitWrites... units) {
            try {
                return writer().refusals(units).isEmpty();
            } catch (RuntimeException e) {
                return false;
            }
        }
    }

    @Nested
    class Looking {

        @Test
        void givesAPageFromTheMiddle() {
            Parked parked = parked("a", LongStream.rangeClosed(1, 10).toArray());
            commit(parked.writes());

            assertThat(queue().findLetters(parked.id(), 4, 3))
                    .isEqualTo(parked.letters().subList(3, 6));
            assertThat(queue().findLetters(parked.id(), 9, 3))
                    .isEqualTo(parked.letters().subList(8, 10));
            assertThat(queue().findLetters(parked.id(), 11, 3)).isEmpty();
        }

        @Test
        void keepsComponentsApart() {
            Parked one = parked("a", 1, 2);
            Parked other = fixture().parked("billing", "kit/billing/reminders", "a", "notes", 3, 4);

            commit(parking(List.of(one, other)));

            assertParked(one);
            assertParked(other);
            assertThat(queue().find(new SequenceId("kit/billing/Invoices", "a")))
                    .isEmpty();
        }

        @Test
        void keepsSequencesApartThatDifferInCaseOrSpaces() {
            List<Parked> all = new ArrayList<>();
            List<String> names = List.of("a", "A", "a ", " a", "ä", "a\u0308", "%", "a_");
            for (int i = 0; i < names.size(); i++) {
                all.add(parked(names.get(i), i + 1));
            }

            commit(parking(all));

            all.forEach(DeadLetterStoreKit.this::assertParked);
        }

        @Test
        void givesTheSequencesOfAConsumerByComponentAndSequence() {
            Parked first = fixture().parked("billing", "kit/billing/a", "y", "notes", 1);
            Parked second = fixture().parked("billing", "kit/billing/b", "x", "notes", 2);
            Parked third = fixture().parked("billing", "kit/billing/b", "y", "notes", 3);
            Parked foreign = fixture().parked("shipping", "kit/shipping/a", "x", "notes", 4);

            commit(parking(List.of(third, foreign, first, second)));

            assertThat(queue().findSequences("billing", 0, 0))
                    .containsExactly(first.sequence(), second.sequence(), third.sequence());
            assertThat(queue().findSequences("shipping", 0, 0)).containsExactly(foreign.sequence());
            assertThat(queue().findSequences("Billing", 0, 0)).isEmpty();
        }

        @Test
        void givesEachShareItsOwn() {
            List<Parked> all = IntStream.range(0, 64)
                    .mapToObj(i -> parked("sequence-" + i, i + 1))
                    .toList();
            commit(parking(all));

            for (int count : List.of(1, 2, 3, 5, 8, 16)) {
                List<ParkedSequence> shared = new ArrayList<>();
                Segments.of(count).forEach((number, mask) -> {
                    List<ParkedSequence> share = queue().findSequences("billing", number, mask);
                    assertThat(share).allSatisfy(sequence -> assertThat(Segments.isOf(sequence.hash(), number, mask))
                            .isTrue());
                    shared.addAll(share);
                });

                assertThat(shared)
                        .as("%s shares", count)
                        .containsExactlyInAnyOrderElementsOf(
                                all.stream().map(Parked::sequence).toList());
            }
        }
    }
}

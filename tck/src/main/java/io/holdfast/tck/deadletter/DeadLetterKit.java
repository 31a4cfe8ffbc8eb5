package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.harness.StoreWriter.letters;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;

/** Base of the kits for parked letters: a processor with one segment, which the test has claimed. */
public abstract class DeadLetterKit extends StoreKit {

    static final String CONSUMER = "billing";
    static final Segment SEGMENT = new Segment(CONSUMER, 0);
    static final String COMPONENT = "kit/billing/invoices";
    /** Another component of the same processor. */
    static final String OTHER_COMPONENT = "kit/billing/reminders";

    static final Duration LEASE = Duration.ofMinutes(1);
    static final int ALL = 10_000;

    TokenClaim claim = new TokenClaim(SEGMENT, "unclaimed", 0);

    @BeforeEach
    void claimSegment() {
        store().tokenStore().initialize(SEGMENT, Map.of("notes", at(0)));
        claim = store().tokenStore().claim(SEGMENT, "one", LEASE).orElseThrow();
    }

    final DeadLetterStore letterStore() {
        return store().deadLetterStore();
    }

    final Instant now() {
        return harness().clock().instant();
    }

    final ParkedLetters fixture() {
        return new ParkedLetters(harness().clock(), codec);
    }

    final Parked parked(String sequence, long... positions) {
        return parked(COMPONENT, sequence, positions);
    }

    final Parked parked(String component, String sequence, long... positions) {
        return fixture().parked(CONSUMER, component, sequence, "notes", positions);
    }

    /** Returns a sequence that is PENDING. */
    final Parked pending(String sequence, long... positions) {
        return parked(sequence, positions).with(it -> it.pending(1, now()));
    }

    /** Returns a letter that follows the last one of the sequence. */
    final DeadLetter nextLetter(Parked parked, long position) {
        return DeadLetter.notAttempted(
                parked.id(),
                parked.sequence().last() + 1,
                fixture().event("notes", parked.id().sequence(), position),
                now());
    }

    /** Returns the sequence with this letter appended. */
    static Parked withLetter(Parked parked, DeadLetter behind) {
        List<DeadLetter> all = new ArrayList<>(parked.letters());
        all.add(behind);
        return new Parked(parked.sequence().grown(), all);
    }

    /** Returns the writes that append a letter to a sequence. */
    static LetterWrites appendWrites(Parked parked, DeadLetter behind) {
        return new LetterWrites(
                List.of(behind), List.of(), List.of(), List.of(parked.sequence().grown()), List.of());
    }

    /** Returns the writes that remove the first letter of a sequence. */
    final LetterWrites removeFirstWrites(Parked parked) {
        return new LetterWrites(
                List.of(),
                List.of(),
                List.of(parked.letters().get(0).id()),
                List.of(withoutFirst(parked).sequence()),
                List.of());
    }

    final Parked withoutFirst(Parked parked) {
        List<DeadLetter> left = parked.letters().subList(1, parked.letters().size());
        DeadLetter first = left.get(0);
        return new Parked(parked.sequence().shortened(first.number(), left.size(), first.enqueuedAt(), now()), left);
    }

    /** Returns the writes that change the state of a sequence and no letter. */
    static LetterWrites updateWrites(Parked parked, UnaryOperator<ParkedSequence> change) {
        return new LetterWrites(List.of(), List.of(), List.of(), List.of(change.apply(parked.sequence())), List.of());
    }

    final long version() {
        return version(SEGMENT);
    }

    final long version(Segment segment) {
        return store().tokenStore().find(segment).orElseThrow().version();
    }

    /** Returns the unit that carries these letters and advances the token by one. */
    final UnitWrites unit(LetterWrites writes) {
        return letters(advance(), writes);
    }

    final TokenAdvance advance() {
        return TokenAdvances.next(claim, version(), Map.of("notes", at(version() + 1)));
    }

    final void commit(LetterWrites writes) {
        writer().commit(unit(writes));
    }

    final void assertParked(Parked parked) {
        assertThat(letterStore().find(parked.id())).contains(parked.sequence());
        assertThat(letterStore().findLetters(parked.id(), 0, ALL)).isEqualTo(parked.letters());
    }

    final void assertNotParked(SequenceId sequence) {
        assertThat(letterStore().find(sequence)).isEmpty();
        assertThat(letterStore().findLetters(sequence, 0, ALL)).isEmpty();
        assertThat(StoredSequences.findAll(letterStore(), CONSUMER))
                .extracting(ParkedSequence::id)
                .doesNotContain(sequence);
    }
}

package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static io.holdfast.tck.deadletter.ParkedLetters.mark;
import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static io.holdfast.tck.harness.StoreWriter.letters;
import static io.holdfast.tck.harness.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.Rejection;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.deadletter.ParkedLetters;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Mark;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Base of the kits for segments: a consumer with many segments over the store under test. */
abstract class SegmentsScenario extends StoreKit {

    static final Duration LEASE = Duration.ofMinutes(1);
    static final String CONSUMER = "billing";
    static final String COMPONENT = "kit/billing/invoices";
    static final Map<String, StreamPosition> START = Map.of("notes", at(4), "lists", at(2));
    static final Map<String, Map<String, StreamPosition>> COMPONENTS =
            Map.of(COMPONENT, Map.of("notes", at(0), "lists", at(2)), "kit/billing/reminders", Map.of("notes", at(3)));
    static final Set<Mark> MARKS = Set.of(mark("notes", 7, COMPONENT), mark("lists", 9, "kit/billing/reminders"));

    final TokenStore tokens() {
        return store().tokenStore();
    }

    final List<Token> initialized(int segments) {
        return tokens().initialize(CONSUMER, segments, START);
    }

    static Segment segment(int number) {
        return new Segment(CONSUMER, number);
    }

    final Token found(int number) {
        return tokens().find(segment(number)).orElseThrow();
    }

    final long version(int number) {
        return found(number).version();
    }

    final TokenClaim claimed(int number) {
        return claimed(number, "one");
    }

    final TokenClaim claimed(int number, String owner) {
        return tokens().claim(segment(number), owner, LEASE).orElseThrow();
    }

    final List<Token> all() {
        return tokens().findAll(CONSUMER).stream().map(ClaimedToken::token).toList();
    }

    final void advance(TokenClaim claim, Map<String, StreamPosition> positions, Set<Mark> marks) {
        long version = tokens().find(claim.segment()).orElseThrow().version();
        writer().commit(token(TokenAdvances.next(claim, version, positions, marks)));
    }

    final void split(TokenClaim claim) {
        long version = tokens().find(claim.segment()).orElseThrow().version();
        assertThat(tokens().split(claim, version)).isPresent();
    }

    final void park(TokenClaim claim, List<Parked> parked) {
        long version = tokens().find(claim.segment()).orElseThrow().version();
        writer().commit(letters(TokenAdvances.next(claim, version, Map.of()), parkWrites(parked)));
    }

    final ParkedLetters fixture() {
        return new ParkedLetters(harness().clock(), codec);
    }

    final Parked parked(String sequence, String stream, long... positions) {
        return fixture().parked(CONSUMER, COMPONENT, sequence, stream, positions);
    }

    final List<Parked> manyParked() {
        return IntStream.range(0, 40)
                .mapToObj(i -> parked("sequence-" + i, "notes", i + 1))
                .toList();
    }

    /** Returns the state that a crash must leave either complete or unchanged. */
    final List<Object> storedState() {
        List<Object> all = new ArrayList<>(tokens().findAll(CONSUMER));
        all.addAll(StoredSequences.findAll(store().deadLetterStore(), CONSUMER));
        return all;
    }

    final void assertStale(TokenClaim claim, long fromVersion) {
        List<Rejection> rejections = writer().rejections(token(TokenAdvances.next(claim, fromVersion, Map.of())));

        assertThat(rejections).singleElement().satisfies(rejection -> {
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
            assertThat(rejection.cause()).isInstanceOf(StaleTokenException.class);
        });
    }

    static void assertCoverEveryHashOnce(List<Token> tokens) {
        int widest =
                tokens.stream().mapToInt(token -> token.setup().mask()).max().orElseThrow();
        for (int hash = 0; hash <= widest; hash++) {
            int masked = hash;
            assertThat(tokens)
                    .as("segments of %s", hash)
                    .filteredOn(token -> Segments.covers(
                            masked, token.segment().number(), token.setup().mask()))
                    .hasSize(1);
        }
    }

    final void assertEveryLetterHasOneOwner(List<Parked> parked) {
        List<ParkedSequence> sequences = all().stream()
                .flatMap(token -> StoredSequences.findBySegment(
                        store().deadLetterStore(),
                        CONSUMER,
                        token.segment().number(),
                        token.setup().mask())
                        .stream())
                .toList();
        assertThat(sequences)
                .containsExactlyInAnyOrderElementsOf(
                        parked.stream().map(Parked::sequence).toList());
    }

    static List<Token> sorted(List<Token> tokens) {
        return tokens.stream()
                .sorted((one, other) -> one.segment().compareTo(other.segment()))
                .toList();
    }
}

package io.holdfast.tck;

import static io.holdfast.tck.ParkedLetters.at;
import static io.holdfast.tck.ParkedLetters.mark;
import static io.holdfast.tck.ParkedLetters.parking;
import static io.holdfast.tck.ParkedLetters.restoredTo;
import static io.holdfast.tck.StoreWriter.letters;
import static io.holdfast.tck.StoreWriter.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.HoldfastException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.Refusal;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.ParkedLetters.Parked;
import io.holdfast.token.HeldToken;
import io.holdfast.token.Mark;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link TokenStore} for consumers of many segments: who is there, shares, generations, policies. */
public abstract class SegmentsKit extends StoreKit {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final String CONSUMER = "billing";
    private static final String COMPONENT = "kit/billing/invoices";
    private static final Map<String, StreamPosition> START = Map.of("notes", at(4), "lists", at(2));
    private static final Map<String, Map<String, StreamPosition>> COMPONENTS =
            Map.of(COMPONENT, Map.of("notes", at(0), "lists", at(2)), "kit/billing/reminders", Map.of("notes", at(3)));
    private static final Set<Mark> MARKS =
            Set.of(mark("notes", 7, COMPONENT), mark("lists", 9, "kit/billing/reminders"));

    private TokenStore tokens() {
        return store().tokenStore();
    }

    private List<Token> initialized(int segments) {
        return tokens().initialize(CONSUMER, segments, START);
    }

    private static Segment segment(int number) {
        return new Segment(CONSUMER, number);
    }

    private Token found(int number) {
        return tokens().find(segment(number)).orElseThrow();
    }

    private long version(int number) {
        return found(number).version();
    }

    private TokenClaim claimed(int number) {
        return claimed(number, "one");
    }

    private TokenClaim claimed(int number, String owner) {
        return tokens().claim(segment(number), owner, LEASE).orElseThrow();
    }

    private List<Token> all() {
        return tokens().findAll(CONSUMER).stream().map(HeldToken::token).toList();
    }

    private void advance(TokenClaim claim, Map<String, StreamPosition> positions, Set<Mark> marks) {
        long version = tokens().find(claim.segment()).orElseThrow().version();
        writer().commit(token(new TokenAdvance(claim, version, positions, marks)));
    }

    private void splitNow(TokenClaim claim) {
        long version = tokens().find(claim.segment()).orElseThrow().version();
        assertThat(tokens().split(claim, version)).isPresent();
    }

    private void park(TokenClaim claim, List<Parked> parked) {
        long version = tokens().find(claim.segment()).orElseThrow().version();
        writer().commit(letters(new TokenAdvance(claim, version, Map.of()), parking(parked)));
    }

    private ParkedLetters fixture() {
        return new ParkedLetters(harness().clock(), codec);
    }

    private Parked parked(String sequence, String stream, long... positions) {
        return fixture().parked(CONSUMER, COMPONENT, sequence, stream, positions);
    }

    private List<Parked> manyParked() {
        return IntStream.range(0, 40)
                .mapToObj(i -> parked("sequence-" + i, "notes", i + 1))
                .toList();
    }

    /** What a crash may leave whole or not at all. */
    private List<Object> everything() {
        List<Object> all = new ArrayList<>(tokens().findAll(CONSUMER));
        all.addAll(store().deadLetterStore().findSequences(CONSUMER, 0, 0));
        return all;
    }

    private void assertStale(TokenClaim claim, long fromVersion) {
        List<Refusal> refusals = writer().refusals(token(new TokenAdvance(claim, fromVersion, Map.of())));

        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.kind()).isEqualTo(Refusal.Kind.REJECTED);
            assertThat(refusal.cause()).isInstanceOf(StaleTokenException.class);
        });
    }

    private static void assertCoverEveryHashOnce(List<Token> tokens) {
        int widest =
                tokens.stream().mapToInt(token -> token.setup().mask()).max().orElseThrow();
        for (int hash = 0; hash <= widest; hash++) {
            int masked = hash;
            assertThat(tokens)
                    .as("segments of %s", hash)
                    .filteredOn(token -> Segments.isOf(
                            masked, token.segment().number(), token.setup().mask()))
                    .hasSize(1);
        }
    }

    private void assertEveryLetterHasOneOwner(List<Parked> parked) {
        List<ParkedSequence> shared = all().stream()
                .flatMap(
                        token -> store()
                                .deadLetterStore()
                                .findSequences(
                                        CONSUMER,
                                        token.segment().number(),
                                        token.setup().mask())
                                .stream())
                .toList();
        assertThat(shared)
                .containsExactlyInAnyOrderElementsOf(
                        parked.stream().map(Parked::sequence).toList());
    }

    private static List<Token> sorted(List<Token> tokens) {
        return tokens.stream()
                .sorted((one, other) -> one.segment().compareTo(other.segment()))
                .toList();
    }

    @Nested
    class Initializing {

        @Test
        void coversEveryHashOnceForAnyCount() {
            for (int count = 1; count <= 17; count++) {
                String consumer = "consumer-" + count;

                List<Token> tokens = tokens().initialize(consumer, count, START);

                assertThat(tokens).hasSize(count).isEqualTo(sorted(tokens));
                assertCoverEveryHashOnce(tokens);
                assertThat(tokens)
                        .extracting(token -> token.segment().number(), token -> token.setup()
                                .mask())
                        .isEqualTo(Segments.of(count).entrySet().stream()
                                .map(share -> tuple(share.getKey(), share.getValue()))
                                .toList());
                assertThat(tokens().findAll(consumer))
                        .extracting(HeldToken::token)
                        .isEqualTo(tokens);
            }
        }

        @Test
        void startsEachAtVersionZeroHeldByNobody() {
            initialized(3);

            assertThat(tokens().findAll(CONSUMER)).allSatisfy(held -> {
                assertThat(held.owner()).isNull();
                assertThat(held.token())
                        .isEqualTo(new Token(
                                held.token().segment(),
                                0,
                                START,
                                Set.of(),
                                SegmentSetup.share(held.token().setup().mask())));
                assertThat(tokens().find(held.token().segment())).contains(held.token());
            });
        }

        @Test
        void createsNoneWhereThereAreAny() {
            List<Token> first = initialized(3);

            assertThat(initialized(8)).isEqualTo(first);
            assertThat(initialized(1)).isEqualTo(first);
            assertThat(all()).isEqualTo(first);
        }

        @Test
        void addsStreamsToAllOfThemAndNothingElse() {
            initialized(3);
            TokenClaim claim = claimed(1);
            advance(claim, Map.of("notes", at(6)), MARKS);
            List<HeldToken> before = tokens().findAll(CONSUMER);

            List<Token> after = tokens().initialize(CONSUMER, 3, Map.of("notes", at(1), "more", at(5)));

            assertThat(after)
                    .isEqualTo(before.stream()
                            .map(held -> held.withMissing(Map.of("more", at(5))).token())
                            .toList());
            assertThat(after.get(1).version()).isEqualTo(1);
            assertThat(after.get(1).positions()).containsEntry("notes", at(6)).containsEntry("more", at(5));
            assertThat(all()).isEqualTo(after);
            advance(claim, Map.of("more", at(8)), Set.of());
        }

        @Test
        void leavesSharesAsTheyWereSplit() {
            initialized(2);
            splitNow(claimed(0));
            List<Token> split = all();

            assertThat(initialized(2)).isEqualTo(split);
        }

        @Test
        void keepsConsumersApart() {
            initialized(2);

            List<Token> other = tokens().initialize("Billing", 4, Map.of("more", at(1)));

            assertThat(other).hasSize(4);
            assertThat(all()).hasSize(2).allSatisfy(token -> assertThat(token.positions())
                    .isEqualTo(START));
        }

        @Test
        void happensOnceOfManyAtOnce() {
            TokenStore elsewhere = replica().tokenStore();
            for (int round = 0; round < 20; round++) {
                String consumer = "consumer-" + round;

                List<List<Token>> answers = Concurrently.race(
                        4, worker -> (worker % 2 == 0 ? tokens() : elsewhere).initialize(consumer, worker + 2, START));

                assertThat(answers)
                        .containsOnly(tokens().findAll(consumer).stream()
                                .map(HeldToken::token)
                                .toList());
                assertCoverEveryHashOnce(answers.get(0));
            }
        }
    }

    @Nested
    class Marking {

        @Test
        void storesWhatRemainsAboveThePosition() {
            initialized(2);
            TokenClaim claim = claimed(0);

            advance(claim, Map.of("notes", at(5)), MARKS);

            assertThat(found(0).marks()).isEqualTo(MARKS);
            assertThat(all().get(0)).isEqualTo(found(0));
            assertThat(found(1).marks()).isEmpty();
        }

        @Test
        void replacesTheMarksBefore() {
            initialized(1);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of(), MARKS);
            Set<Mark> other = Set.of(mark("notes", 8, COMPONENT));

            advance(claim, Map.of(), other);
            assertThat(found(0).marks()).isEqualTo(other);

            advance(claim, Map.of("notes", at(9)), Set.of());
            assertThat(found(0).marks()).isEmpty();
        }

        @Test
        void keepsAsManyAsAProcessorRunsAhead() {
            Set<Mark> many = LongStream.rangeClosed(1, 3_000)
                    .mapToObj(position -> mark("notes", 1L << 40 | position, "kit/billing/c-" + position % 3))
                    .collect(Collectors.toSet());
            initialized(1);

            advance(claimed(0), Map.of(), many);

            assertThat(found(0).marks()).isEqualTo(many);
        }
    }

    @Nested
    class Attending {

        @Test
        void countsOneselfAndTheOthers() {
            assertThat(tokens().attend(CONSUMER, "one", LEASE)).containsExactly("one");
            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactlyInAnyOrder("one", "two");
            assertThat(tokens().attend(CONSUMER, "one", LEASE)).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void isSeenByAnotherProcess() {
            tokens().attend(CONSUMER, "one", LEASE);

            assertThat(replica().tokenStore().attend(CONSUMER, "two", LEASE)).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void keepsConsumersApart() {
            tokens().attend(CONSUMER, "one", LEASE);

            assertThat(tokens().attend("shipping", "two", LEASE)).containsExactly("two");
        }

        @Test
        void endsWithItsLease() {
            tokens().attend(CONSUMER, "one", LEASE);
            harness().passTime(LEASE.dividedBy(2));
            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactlyInAnyOrder("one", "two");

            harness().passTime(LEASE.dividedBy(2));

            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactly("two");
        }

        @Test
        void againLastsFromNow() {
            tokens().attend(CONSUMER, "one", LEASE);
            harness().passTime(LEASE.dividedBy(2));
            tokens().attend(CONSUMER, "one", LEASE);

            harness().passTime(LEASE.dividedBy(2));

            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void endsByLeaving() {
            tokens().attend(CONSUMER, "one", LEASE);
            tokens().attend(CONSUMER, "two", LEASE);
            tokens().attend("shipping", "one", LEASE);

            tokens().leave(CONSUMER, "one");
            tokens().leave(CONSUMER, "nobody");
            tokens().leave("nothing", "one");

            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactly("two");
            assertThat(tokens().attend("shipping", "two", LEASE)).containsExactlyInAnyOrder("one", "two");
        }

        @Test
        void ofManyAtOnceLosesNone() {
            TokenStore elsewhere = replica().tokenStore();
            Concurrently.race(
                    8, worker -> (worker % 2 == 0 ? tokens() : elsewhere).attend(CONSUMER, "replica-" + worker, LEASE));

            assertThat(tokens().attend(CONSUMER, "replica-0", LEASE)).hasSize(8);
        }

        @Test
        void needsNoSegmentAndChangesNone() {
            List<Token> before = initialized(2);

            tokens().attend(CONSUMER, "one", LEASE);

            assertThat(all()).isEqualTo(before);
        }

        @Test
        void isNotKnownAfterACrashBefore() {
            Crash.before(CommitPoint.TOKEN_ATTEND, harness(), () -> tokens().attend(CONSUMER, "one", LEASE));

            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactly("two");
        }

        @Test
        void isKnownAfterACrashAfterUntilTheLeaseEnds() {
            Crash.after(CommitPoint.TOKEN_ATTEND, harness(), () -> tokens().attend(CONSUMER, "one", LEASE));

            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactlyInAnyOrder("one", "two");
            harness().passTime(LEASE);
            assertThat(tokens().attend(CONSUMER, "two", LEASE)).containsExactly("two");
        }
    }

    @Nested
    class SettingUp {

        @Test
        void storesPolicyAndComponentsAndNothingElse() {
            initialized(2);
            TokenClaim claim = claimed(1);
            advance(claim, Map.of("notes", at(6)), MARKS);
            Token before = found(1);

            assertThat(tokens().setUp(claim, 1, "by-key@2", COMPONENTS)).isTrue();

            SegmentSetup setup = before.setup().withPolicy("by-key@2").withComponents(COMPONENTS);
            assertThat(found(1)).isEqualTo(new Token(segment(1), 2, before.positions(), MARKS, setup));
            assertThat(all().get(1)).isEqualTo(found(1));
            assertThat(found(0)).isEqualTo(new Token(segment(0), 0, START, Set.of(), SegmentSetup.share(1)));
        }

        @Test
        void replacesTheComponentsBefore() {
            initialized(1);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);
            Map<String, Map<String, StreamPosition>> fewer = Map.of(COMPONENT, Map.of(), "kit/billing/new", START);

            tokens().setUp(claim, 1, "by-key@3", fewer);

            assertThat(found(0).setup().components()).isEqualTo(fewer);
            assertThat(found(0).setup().policy()).isEqualTo("by-key@3");
        }

        @Test
        void staysThroughAdvancesAndClaims() {
            initialized(1);
            tokens().setUp(claimed(0), 0, "by-key@2", COMPONENTS);
            SegmentSetup setup = found(0).setup();

            advance(claimed(0), Map.of("notes", at(5)), MARKS);
            initialized(1);

            assertThat(found(0).setup()).isEqualTo(setup);
        }

        @Test
        void letsNoUnitOfTheVersionBeforeCommit() {
            initialized(1);
            TokenClaim claim = claimed(0);

            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);

            assertStale(claim, 0);
            advance(claim, Map.of("notes", at(5)), Set.of());
        }

        @Test
        void isRefusedUnderAClaimThatIsNotTheNewest() {
            initialized(1);
            TokenClaim stale = claimed(0);
            TokenClaim newest = claimed(0);

            assertNotSetUp(stale, 0);

            tokens().release(newest);
            assertNotSetUp(newest, 0);
        }

        @Test
        void isRefusedFromAnotherVersion() {
            initialized(1);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of(), Set.of());

            assertNotSetUp(claim, 0);
            assertNotSetUp(claim, 2);
        }

        @Test
        void isRefusedForASegmentThatDoesNotExist() {
            assertNotSetUp(new TokenClaim(segment(0), "one", 1), 0);
        }

        private void assertNotSetUp(TokenClaim claim, long version) {
            List<Object> before = everything();

            assertThat(tokens().setUp(claim, version, "by-key@2", COMPONENTS)).isFalse();

            assertThat(everything()).isEqualTo(before);
        }
    }

    @Nested
    class Splitting {

        @Test
        void givesHalfOfTheShareAway() {
            initialized(1);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);
            advance(claim, Map.of("notes", at(6)), MARKS);
            Token before = found(0);

            Optional<Segment> split = tokens().split(claim, 2);

            assertThat(split).contains(segment(1));
            SegmentSetup half = before.setup().withMask(1);
            assertThat(found(0)).isEqualTo(new Token(segment(0), 3, before.positions(), MARKS, half));
            assertThat(found(1).positions()).isEqualTo(before.positions());
            assertThat(found(1).marks()).isEqualTo(MARKS);
            assertThat(found(1).setup()).isEqualTo(half);
            assertCoverEveryHashOnce(all());
        }

        @Test
        void keepsTheClaimAndLeavesTheNewSegmentFree() {
            initialized(1);
            TokenClaim claim = claimed(0);

            Segment split = tokens().split(claim, 0).orElseThrow();

            assertThat(tokens().findAll(CONSUMER)).extracting(HeldToken::owner).containsExactly("one", null);
            advance(claim, Map.of("notes", at(5)), Set.of());
            TokenClaim other = tokens().claim(split, "two", LEASE).orElseThrow();
            advance(other, Map.of("notes", at(9)), Set.of());
            assertThat(found(0).positions()).containsEntry("notes", at(5));
            assertThat(found(1).positions()).containsEntry("notes", at(9));
        }

        @Test
        void letsNoUnitOfTheWholeShareCommit() {
            initialized(1);
            TokenClaim claim = claimed(0);

            tokens().split(claim, 0);

            assertStale(claim, 0);
        }

        @Test
        void coversEveryHashOnceHoweverOften() {
            initialized(3);
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < 20; i++) {
                List<Token> all = all();
                Token token = all.get(random.nextInt(all.size()));
                splitNow(claimed(token.segment().number()));

                assertThat(all()).hasSize(all.size() + 1);
                assertCoverEveryHashOnce(all());
            }
        }

        @Test
        void keepsEveryLetterInOneShare() {
            initialized(1);
            TokenClaim claim = claimed(0);
            List<Parked> parked = manyParked();
            park(claim, parked);

            splitNow(claim);
            assertEveryLetterHasOneOwner(parked);

            TokenClaim other = claimed(1);
            splitNow(other);
            assertEveryLetterHasOneOwner(parked);
            assertThat(store().deadLetterStore().findSequences(CONSUMER, 3, 3)).isNotEmpty();
        }

        @Test
        void isRefusedUnderAClaimThatIsNotTheNewest() {
            initialized(1);
            TokenClaim stale = claimed(0);
            TokenClaim newest = claimed(0);

            assertNotSplit(stale, 0);

            tokens().release(newest);
            assertNotSplit(newest, 0);
        }

        @Test
        void isRefusedForAnotherOwnerWithTheRightFence() {
            initialized(1);
            TokenClaim claim = claimed(0);

            assertNotSplit(new TokenClaim(claim.segment(), "two", claim.fence()), 0);
        }

        @Test
        void isRefusedFromAnotherVersion() {
            initialized(1);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of(), Set.of());

            assertNotSplit(claim, 0);
            assertNotSplit(claim, 2);
        }

        @Test
        void isRefusedForASegmentThatDoesNotExist() {
            assertNotSplit(new TokenClaim(segment(0), "one", 1), 0);
        }

        @Test
        void isAllowedAfterExpiryIfNobodyTookIt() {
            initialized(1);
            TokenClaim claim = claimed(0);
            harness().passTime(LEASE.multipliedBy(2));

            assertThat(tokens().split(claim, 0)).isPresent();
        }

        @Test
        void andACommitFromTheSameVersionNeverBothHappen() {
            initialized(2);
            TokenClaim claim = claimed(1); // a store may lock segment 0 for all

            boolean committed;
            Future<Optional<Segment>> split;
            try (Concurrently threads = new Concurrently();
                    CommitSession session = store().commitStore().open()) {
                session.takeHead();
                assertThat(session.write(List.of(token(new TokenAdvance(claim, 0, Map.of("notes", at(5)))))))
                        .isEmpty();
                split = threads.start(() -> tokens().split(claim, 0));
                Concurrently.endsSoon(split); // or it waits for the commit
                committed = commits(session);
            }

            assertThat(Concurrently.result(split).isPresent()).isNotEqualTo(committed);
            assertThat(all()).hasSize(committed ? 2 : 3);
        }

        private boolean commits(CommitSession session) {
            try {
                session.commit();
                return true;
            } catch (HoldfastException e) {
                return false;
            }
        }

        private void assertNotSplit(TokenClaim claim, long version) {
            List<Object> before = everything();

            assertThat(tokens().split(claim, version)).isEmpty();

            assertThat(everything()).isEqualTo(before);
        }
    }

    @Nested
    class Merging {

        @Test
        void joinsTwoSharesUnderTheClaimOfTheLower() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1, "two");

            assertThat(tokens().merge(one, 0, other, 0)).isTrue();

            assertThat(all()).singleElement().satisfies(token -> {
                assertThat(token.segment()).isEqualTo(segment(0));
                assertThat(token.positions()).isEqualTo(START);
                assertThat(token.setup()).isEqualTo(SegmentSetup.WHOLE);
            });
            advance(one, Map.of("notes", at(5)), Set.of());
            assertCoverEveryHashOnce(all());
        }

        @Test
        void takesThemInAnyOrder() {
            initialized(4);
            TokenClaim lower = claimed(1);
            TokenClaim upper = claimed(3);
            tokens().setUp(upper, 0, "by-key@2", COMPONENTS);
            tokens().setUp(lower, 0, "by-key@2", COMPONENTS);

            assertThat(tokens().merge(upper, 1, lower, 1)).isTrue();

            assertThat(all()).extracting(token -> token.segment().number()).containsExactly(0, 1, 2);
            assertThat(found(1).setup())
                    .isEqualTo(SegmentSetup.share(1).withPolicy("by-key@2").withComponents(COMPONENTS));
            assertCoverEveryHashOnce(all());
        }

        @Test
        void leavesNothingOfTheUpper() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            tokens().merge(one, 0, other, 0);

            assertThat(tokens().find(segment(1))).isEmpty();
            assertThat(tokens().claim(segment(1), "two", LEASE)).isEmpty();
            assertThat(tokens().renew(List.of(one, other), LEASE)).containsExactly(one);
            tokens().release(other);
            assertStale(other, 0);
        }

        @Test
        void letsNoUnitOfTheVersionsBeforeCommit() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            for (int i = 0; i < 3; i++) {
                advance(other, Map.of(), Set.of());
            }

            assertThat(tokens().merge(one, 0, other, 3)).isTrue();

            assertThat(version(0)).isGreaterThan(3);
            assertStale(one, 0);
        }

        @Test
        void letsNoUnitOfAnEarlierLifeCommitAfterASplit() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            for (int i = 0; i < 3; i++) {
                advance(other, Map.of(), Set.of());
            }
            tokens().merge(one, 0, other, 3);

            splitNow(one);

            claimed(1); // by the same owner, perhaps under the same fence
            for (long version = 0; version <= 3; version++) {
                assertStale(other, version);
            }
        }

        @Test
        void keepsEveryLetterInOneShare() {
            initialized(4);
            List<Parked> parked = manyParked();
            park(claimed(0), parked);

            assertThat(tokens().merge(claimed(1), 0, claimed(3), 0)).isTrue();
            assertEveryLetterHasOneOwner(parked);
        }

        @Test
        void isRefusedUnderAClaimThatIsNotTheNewest() {
            initialized(2);
            TokenClaim staleOne = claimed(0);
            TokenClaim staleOther = claimed(1);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            assertNotMerged(staleOne, other);
            assertNotMerged(one, staleOther);

            tokens().release(other);
            assertNotMerged(one, other);
            assertNotMerged(other, one);
        }

        @Test
        void isRefusedFromAnotherVersion() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            List<Object> before = everything();

            assertThat(tokens().merge(one, 1, other, 0)).isFalse();
            assertThat(tokens().merge(one, 0, other, 1)).isFalse();

            assertThat(everything()).isEqualTo(before);
        }

        @Test
        void isRefusedForSegmentsThatAreNotSiblings() {
            initialized(4);

            assertNotMerged(claimed(0), claimed(1));
            assertNotMerged(claimed(0), claimed(3));
            assertThat(tokens().merge(claimed(0), 0, claimed(2), 0)).isTrue();
        }

        @Test
        void isRefusedForSharesOfDifferentSize() {
            initialized(3); // 0 and 2 are quarters, 1 is a half

            assertNotMerged(claimed(0), claimed(1));
            assertNotMerged(claimed(2), claimed(1));
        }

        @Test
        void isRefusedForOneSegmentWithItself() {
            initialized(1);
            TokenClaim claim = claimed(0);

            assertNotMerged(claim, claim);
        }

        @Test
        void isRefusedForSegmentsOfTwoConsumers() {
            initialized(2);
            tokens().initialize("shipping", 2, START);
            TokenClaim foreign =
                    tokens().claim(new Segment("shipping", 1), "one", LEASE).orElseThrow();

            assertNotMerged(claimed(0), foreign);
            assertThat(tokens().findAll("shipping")).hasSize(2);
        }

        @Test
        void isRefusedWhileEitherHasMarks() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            advance(one, Map.of(), MARKS);
            assertNotMerged(one, other);

            advance(one, Map.of(), Set.of());
            advance(other, Map.of(), MARKS);
            assertNotMerged(one, other);

            advance(one, Map.of(), MARKS);
            assertNotMerged(one, other);
        }

        @Test
        void isRefusedWhileTheyStandAtDifferentPositions() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            advance(one, Map.of("notes", at(5)), Set.of());

            assertNotMerged(one, other);

            advance(other, Map.of("notes", at(5)), Set.of());
            assertThat(tokens().merge(one, 1, other, 1)).isTrue();
            assertThat(found(0).positions()).containsEntry("notes", at(5));
        }

        @Test
        void keepsOfEachComponentWhereItBeganLater() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            tokens().setUp(one, 0, "by-key@2", Map.of(COMPONENT, Map.of("notes", at(3), "lists", at(4))));
            tokens().setUp(other, 0, "by-key@2", Map.of(COMPONENT, Map.of("notes", at(5), "lists", at(2))));

            assertThat(tokens().merge(one, 1, other, 1)).isTrue();

            assertThat(found(0).setup().components())
                    .isEqualTo(Map.of(COMPONENT, Map.of("notes", at(5), "lists", at(4))));
        }

        @Test
        void isRefusedWhileTheirSetupsDiffer() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);
            tokens().setUp(one, 0, "by-key@2", COMPONENTS);

            assertNotMerged(one, other);
            tokens().setUp(other, 0, "by-key@3", COMPONENTS);
            assertNotMerged(one, other);
            tokens().setUp(other, 1, "by-key@2", Map.of(COMPONENT, START));
            assertNotMerged(one, other);

            tokens().setUp(other, 2, "by-key@2", COMPONENTS);
            assertThat(tokens().merge(one, 1, other, 3)).isTrue();
        }

        @Test
        void isRefusedForASegmentThatDoesNotExist() {
            initialized(1);
            TokenClaim claim = claimed(0);
            List<Object> before = everything();

            assertThat(tokens().merge(claim, 0, new TokenClaim(segment(1), "one", 1), 0))
                    .isFalse();

            assertThat(everything()).isEqualTo(before);
        }

        /** From the versions that they are at. */
        private void assertNotMerged(TokenClaim one, TokenClaim other) {
            List<Object> before = everything();
            long oneVersion = tokens().find(one.segment()).orElseThrow().version();
            long otherVersion = tokens().find(other.segment()).orElseThrow().version();

            assertThat(tokens().merge(one, oneVersion, other, otherVersion)).isFalse();

            assertThat(everything()).isEqualTo(before);
        }
    }

    @Nested
    class Pausing {

        @Test
        void isSaidOfAllSegments() {
            initialized(3);

            tokens().pause(CONSUMER, true);

            assertThat(all()).hasSize(3).allSatisfy(token -> {
                assertThat(token.version()).isZero();
                assertThat(token.positions()).isEqualTo(START);
                assertThat(token.setup())
                        .isEqualTo(SegmentSetup.share(token.setup().mask()).withPaused(true));
            });
        }

        @Test
        void endsBySayingSo() {
            initialized(3);
            tokens().pause(CONSUMER, true);

            tokens().pause(CONSUMER, false);

            assertThat(all()).allSatisfy(token -> {
                assertThat(token.setup().paused()).isFalse();
                assertThat(token.version()).isZero();
            });
        }

        @Test
        void letsWhatRunsBeCommitted() {
            initialized(2);
            TokenClaim claim = claimed(0);

            tokens().pause(CONSUMER, true);

            assertThat(tokens().claim(segment(0), "two", LEASE)).isEmpty();
            advance(claim, Map.of("notes", at(5)), Set.of());
            assertThat(found(0).setup().paused())
                    .as("an advance does not end it")
                    .isTrue();
            assertThat(found(0).positions()).containsEntry("notes", at(5));
        }

        @Test
        void staysWithWhatIsSplitOff() {
            initialized(1);
            tokens().pause(CONSUMER, true);

            splitNow(claimed(0));

            assertThat(all())
                    .hasSize(2)
                    .allSatisfy(token -> assertThat(token.setup().paused()).isTrue());
        }

        @Test
        void leavesOtherConsumersAlone() {
            List<Token> before = initialized(2);

            tokens().pause("shipping", true);

            assertThat(all()).isEqualTo(before);
            assertThat(tokens().findAll("shipping")).isEmpty();
        }
    }

    @Nested
    class Resetting {

        private final Map<String, StreamPosition> again = Map.of("notes", at(3), "lists", at(1));

        @Test
        void bringsAllSegmentsToThePositions() {
            initialized(2);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@2", COMPONENTS);
            advance(claim, Map.of("notes", at(9)), MARKS);
            tokens().pause(CONSUMER, true);
            long before = version(0);

            assertThat(tokens().reset(CONSUMER, 1, again)).isTrue();

            assertThat(found(0))
                    .isEqualTo(new Token(
                            segment(0),
                            before + 1,
                            again,
                            Set.of(),
                            new SegmentSetup(
                                    1, 2, "by-key@2", Map.of(COMPONENT, again, "kit/billing/reminders", again), true)));
            assertThat(found(1).positions()).isEqualTo(again);
            assertThat(all())
                    .allSatisfy(token -> assertThat(token.setup().generation()).isEqualTo(2));
        }

        @Test
        void releasesEveryClaim() {
            initialized(2);
            TokenClaim claim = claimed(0);

            tokens().reset(CONSUMER, 1, again);

            assertStale(claim, 0);
            assertStale(claim, version(0));
            assertThat(tokens().findAll(CONSUMER)).extracting(HeldToken::owner).containsOnlyNulls();
            assertThat(tokens().renew(List.of(claim), LEASE)).isEmpty();
            TokenClaim next = claimed(0, "two");
            assertThat(next.fence()).isGreaterThan(claim.fence());
            advance(next, Map.of("notes", at(4)), Set.of());
        }

        @Test
        void isRefusedFromAnotherGeneration() {
            initialized(2);
            TokenClaim claim = claimed(0);
            park(claim, List.of(parked("a", "notes", 9)));

            assertNotReset(0);
            assertNotReset(2);
            advance(claim, Map.of(), Set.of());

            assertThat(tokens().reset(CONSUMER, 1, again)).isTrue();
            assertNotReset(1);
            assertThat(tokens().reset(CONSUMER, 2, again)).isTrue();
        }

        @Test
        void isRefusedForAnUnknownConsumer() {
            assertThat(tokens().reset(CONSUMER, 1, again)).isFalse();
            assertThat(all()).isEmpty();
        }

        @Test
        void leavesOtherConsumersAlone() {
            initialized(2);
            List<Token> other = tokens().initialize("shipping", 2, START);
            Parked foreign = fixture().parked("shipping", "kit/shipping/parcels", "a", "notes", 9);
            park(claimed(0), List.of(foreign));

            tokens().reset(CONSUMER, 1, again);

            assertThat(tokens().findAll("shipping"))
                    .extracting(HeldToken::token)
                    .isEqualTo(other);
            assertLetters(foreign, foreign.letters());
            assertThat(store().deadLetterStore().find(foreign.id())).contains(foreign.sequence());
        }

        @Test
        @Lines(39)
        void removesSequencesAboveThePositions() {
            Parked above = parked("above", "notes", 4, 5);
            parkedInOne(above);

            tokens().reset(CONSUMER, 1, again);

            assertLetters(above, List.of());
            assertThat(everything()).hasSize(2).allSatisfy(each -> assertThat(each)
                    .isInstanceOf(HeldToken.class));
            park(claimed(0), List.of(above));
            assertLetters(above, above.letters());
        }

        @Test
        @Lines(39)
        void keepsLettersAtOrBelowThePositions() {
            Parked below = parked("below", "notes", 2, 3);
            Parked ofNoStream = parked("no stream", "gone", 9);
            parkedInOne(below, ofNoStream);

            tokens().reset(CONSUMER, 1, again);

            assertLetters(below, below.letters());
            assertLetters(ofNoStream, ofNoStream.letters());
            assertThat(store().deadLetterStore().findSequences(CONSUMER, 0, 0))
                    .containsExactlyInAnyOrder(below.sequence(), ofNoStream.sequence());
        }

        @Test
        @Lines(39)
        void shortensASequenceThatLiesOnBothSides() {
            Parked both = parked("both", "notes", 2, 3, 4, 5);
            parkedInOne(both);

            tokens().reset(CONSUMER, 1, again);

            assertLetters(both, both.letters().subList(0, 2));
            ParkedSequence before = both.sequence();
            assertThat(store().deadLetterStore().find(both.id()))
                    .contains(new ParkedSequence(
                            before.id(),
                            CONSUMER,
                            before.hash(),
                            1,
                            2,
                            2,
                            before.state(),
                            before.attempts(),
                            before.nextAttempt(),
                            before.since(),
                            null,
                            null));
        }

        @Test
        @Lines(39)
        void makesAHeadThatNeverFailedDueNow() {
            List<EventMessage> events = List.of(
                    fixture().event("lists", "mixed", 9),
                    fixture().event("notes", "mixed", 2),
                    fixture().event("notes", "mixed", 8),
                    fixture().event("notes", "mixed", 3));
            Parked plain = fixture().parked(CONSUMER, COMPONENT, "mixed", events);
            Parked mixed = new Parked(
                    plain.sequence().held("breaker", Instant.EPOCH, Instant.parse("2999-01-01T00:00:00Z")),
                    plain.letters());
            parkedInOne(mixed);

            tokens().reset(CONSUMER, 1, again);

            assertLetters(mixed, List.of(mixed.letters().get(1), mixed.letters().get(3)));
            assertThat(store().deadLetterStore().find(mixed.id())).hasValueSatisfying(sequence -> {
                assertThat(sequence.head()).isEqualTo(2);
                assertThat(sequence.tail()).isEqualTo(4);
                assertThat(sequence.size()).isEqualTo(2);
                assertThat(sequence.state()).isEqualTo(SequenceState.RETRYING);
                assertThat(sequence.attempts()).isZero();
                assertThat(sequence.heldBy()).isNull();
                assertThat(sequence.heldSince()).isNull();
                assertThat(sequence.nextAttempt()).isNotNull().isBefore(Instant.parse("2900-01-01T00:00:00Z"));
            });
        }

        @Test
        void succeedsForOneOfManyAtOnce() {
            initialized(4);
            TokenStore elsewhere = replica().tokenStore();

            for (int generation = 1; generation <= 10; generation++) {
                int from = generation;
                List<Boolean> answers = Concurrently.race(
                        4, worker -> (worker % 2 == 0 ? tokens() : elsewhere).reset(CONSUMER, from, again));

                assertThat(answers).containsOnlyOnce(true);
            }
            assertThat(found(0).setup().generation()).isEqualTo(11);
        }

        private void parkedInOne(Parked... parked) {
            initialized(2);
            park(claimed(0), List.of(parked));
        }

        private void assertLetters(Parked parked, List<DeadLetter> expected) {
            assertThat(store().deadLetterStore().findLetters(parked.id(), 0, 100))
                    .isEqualTo(expected);
        }

        private void assertNotReset(int generation) {
            List<Object> before = everything();

            assertThat(tokens().reset(CONSUMER, generation, again)).isFalse();

            assertThat(everything()).isEqualTo(before);
        }
    }

    @Nested
    class Restoring {

        @Test
        void lowersThoseThatHaveReadFurther() {
            initialized(2);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of("notes", at(9), "lists", at(9)), Set.of());

            tokens().restore(CONSUMER, "notes", restoredTo(6));

            assertThat(found(0).positions()).isEqualTo(Map.of("notes", restoredTo(6), "lists", at(9)));
            assertThat(version(0)).isEqualTo(2);
            assertThat(found(1)).isEqualTo(new Token(segment(1), 0, START, Set.of(), SegmentSetup.share(1)));
        }

        @Test
        void leavesThoseAloneThatReadInTheNewEpochAlready() {
            initialized(1);
            StreamPosition further = new StreamPosition(restoredTo(6).log(), 8, at(8).id());
            advance(claimed(0), Map.of("notes", further), MARKS);
            Token before = found(0);

            tokens().restore(CONSUMER, "notes", restoredTo(6));

            assertThat(found(0)).isEqualTo(before);
        }

        @Test
        void removesMarksAboveAndKeepsTheOthers() {
            Mark at6 = mark("notes", 6, COMPONENT);
            Mark at7 = mark("notes", 7, COMPONENT);
            Mark elsewhere = mark("lists", 9, COMPONENT);
            initialized(2);
            advance(claimed(0), Map.of("notes", at(8)), Set.of(at7, elsewhere));
            advance(claimed(1), Map.of("notes", at(5)), Set.of(at6, at7, elsewhere));

            tokens().restore(CONSUMER, "notes", restoredTo(6));

            assertThat(found(0).marks()).containsExactlyInAnyOrder(elsewhere);
            assertThat(found(1).marks()).containsExactlyInAnyOrder(at6, elsewhere);
            assertThat(found(1).positions()).containsEntry("notes", at(5));
            assertThat(all()).extracting(Token::version).containsExactly(2L, 2L);
        }

        @Test
        void leavesThoseAtOrBelowAlone() {
            initialized(2);
            advance(claimed(0), Map.of("notes", at(6)), MARKS);
            List<HeldToken> before = tokens().findAll(CONSUMER);

            tokens().restore(CONSUMER, "notes", restoredTo(7));
            tokens().restore(CONSUMER, "unknown", restoredTo(0));
            tokens().restore("shipping", "notes", restoredTo(0));

            assertThat(tokens().findAll(CONSUMER)).isEqualTo(before);
        }

        @Test
        void keepsClaimsAndLetsNoUnitOfTheVersionBeforeCommit() {
            initialized(1);
            TokenClaim claim = claimed(0);

            tokens().restore(CONSUMER, "notes", restoredTo(1));

            assertStale(claim, 0);
            advance(claim, Map.of("notes", at(2)), Set.of());
        }

        @Test
        void keepsLetters() {
            initialized(1);
            Parked parked = parked("a", "notes", 3, 4);
            park(claimed(0), List.of(parked));

            tokens().restore(CONSUMER, "notes", restoredTo(1));

            assertThat(store().deadLetterStore().find(parked.id())).contains(parked.sequence());
            assertThat(store().deadLetterStore().findLetters(parked.id(), 0, 10))
                    .isEqualTo(parked.letters());
        }
    }

    @Nested
    class ChangingThePolicy {

        @Test
        void isStoredInAllSegments() {
            initialized(2);
            TokenClaim claim = claimed(0);
            tokens().setUp(claim, 0, "by-key@1", COMPONENTS);
            Token before = found(0);

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            assertThat(found(0)).isEqualTo(before.withSetup(before.setup().withPolicy("by-saga@1")));
            assertThat(found(1).setup().policy()).isEqualTo("by-saga@1");
            assertThat(found(1).version()).isEqualTo(1);
        }

        @Test
        void keepsOnesOwnClaimsAndLetsNoUnitOfTheVersionBeforeCommit() {
            initialized(2);
            TokenClaim claim = claimed(0);

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            assertStale(claim, 0);
            advance(claim, Map.of("notes", at(5)), Set.of());
        }

        @Test
        void isRefusedWhileSegmentsStandApart() {
            initialized(2);
            advance(claimed(0), Map.of("notes", at(5)), Set.of());

            assertNotChanged();

            advance(claimed(1), Map.of("notes", at(5)), Set.of());
            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();
        }

        @Test
        void isRefusedWhileASegmentHasMarks() {
            initialized(2);
            advance(claimed(1), Map.of(), MARKS);

            assertNotChanged();
        }

        @Test
        void isRefusedWhileALetterIsParked() {
            initialized(2);
            park(claimed(1), List.of(parked("a", "notes", 1)));

            assertNotChanged();
        }

        @Test
        void isRefusedWhileAnotherHoldsASegment() {
            initialized(2);
            TokenClaim claim = claimed(1, "two");

            assertNotChanged();

            tokens().release(claim);
            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();
        }

        @Test
        void isAllowedOnceTheLeaseOfAnotherHasExpired() {
            initialized(2);
            TokenClaim expired = claimed(1, "two");
            harness().passTime(LEASE);

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            assertStale(expired, 0);
        }

        @Test
        void doesNotMindOtherConsumers() {
            initialized(2);
            List<Token> other = tokens().initialize("shipping", 2, Map.of("notes", at(7)));
            tokens().claim(new Segment("shipping", 0), "two", LEASE);
            park(claimed(0), List.of(fixture().parked("shipping", "kit/shipping/parcels", "a", "notes", 1)));

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isTrue();

            assertThat(tokens().findAll("shipping"))
                    .extracting(HeldToken::token)
                    .isEqualTo(other);
        }

        private void assertNotChanged() {
            List<Object> before = everything();

            assertThat(tokens().changePolicy(CONSUMER, "one", "by-saga@1")).isFalse();

            assertThat(everything()).isEqualTo(before);
        }
    }

    @Nested
    class Crashing {

        private final Map<String, StreamPosition> again = Map.of("notes", at(1), "lists", at(1));

        @Test
        void aroundInitializing() {
            Crash.before(CommitPoint.TOKEN_INITIALIZE, harness(), () -> initialized(5));
            assertThat(all()).isEmpty();

            Crash.after(CommitPoint.TOKEN_INITIALIZE, harness(), () -> initialized(5));
            assertThat(all()).hasSize(5);
            assertThat(initialized(9)).hasSize(5);
        }

        @Test
        void aroundSettingUp() {
            initialized(2);
            TokenClaim claim = claimed(0);

            assertAllOrNothing(CommitPoint.TOKEN_SET_UP, () -> tokens().setUp(claim, 0, "by-key@2", COMPONENTS));

            assertThat(found(0).setup().components()).isEqualTo(COMPONENTS);
        }

        @Test
        void aroundSplitting() {
            initialized(2);
            TokenClaim claim = claimed(0);

            assertAllOrNothing(CommitPoint.TOKEN_SPLIT, () -> tokens().split(claim, 0));

            assertThat(all()).hasSize(3);
        }

        @Test
        void aroundMerging() {
            initialized(2);
            TokenClaim one = claimed(0);
            TokenClaim other = claimed(1);

            assertAllOrNothing(CommitPoint.TOKEN_MERGE, () -> tokens().merge(one, 0, other, 0));

            assertThat(all()).hasSize(1);
        }

        @Test
        void aroundPausing() {
            initialized(3);

            assertAllOrNothing(CommitPoint.TOKEN_PAUSE, () -> tokens().pause(CONSUMER, true));

            assertThat(all())
                    .allSatisfy(token -> assertThat(token.setup().paused()).isTrue());
        }

        @Test
        void aroundResetting() {
            initialized(3);
            park(claimed(0), List.of(parked("a", "notes", 1, 2), parked("b", "notes", 3)));

            assertAllOrNothing(CommitPoint.TOKEN_RESET, () -> tokens().reset(CONSUMER, 1, again));

            assertThat(all()).allSatisfy(token -> assertThat(token.positions()).isEqualTo(again));
            assertThat(store().deadLetterStore().findSequences(CONSUMER, 0, 0)).hasSize(1);
        }

        @Test
        void aroundRestoring() {
            initialized(3);

            assertAllOrNothing(CommitPoint.TOKEN_RESTORE, () -> tokens().restore(CONSUMER, "notes", restoredTo(1)));

            assertThat(all()).allSatisfy(token -> assertThat(token.positions()).containsEntry("notes", restoredTo(1)));
        }

        @Test
        void aroundChangingThePolicy() {
            initialized(3);

            assertAllOrNothing(
                    CommitPoint.TOKEN_CHANGE_POLICY, () -> tokens().changePolicy(CONSUMER, "one", "by-saga@1"));

            assertThat(all())
                    .allSatisfy(token -> assertThat(token.setup().policy()).isEqualTo("by-saga@1"));
        }

        private void assertAllOrNothing(CommitPoint point, Runnable work) {
            List<Object> before = everything();

            Crash.before(point, harness(), work);
            assertThat(everything()).as("before %s", point).isEqualTo(before);

            Crash.after(point, harness(), work);
            assertThat(everything()).as("after %s", point).isNotEqualTo(before);
            assertCoverEveryHashOnce(all());
            initialized(1); // nothing is kept locked
        }
    }

    @Nested
    class ReplicasAtOnce {

        private static final int WORKERS = 4;
        private static final int STEPS = 40;

        @Test
        void coverEveryHashOnceAtAnyMoment() {
            initialized(4);
            TokenStore elsewhere = replica().tokenStore();
            AtomicBoolean isOver = new AtomicBoolean();
            try (Concurrently threads = new Concurrently()) {
                Future<Boolean> reader = threads.run(() -> {
                    do {
                        assertCoverEveryHashOnce(all());
                    } while (!isOver.get());
                });
                try {
                    Concurrently.race(WORKERS, worker -> {
                        SplittableRandom random = new SplittableRandom(worker);
                        TokenStore store = worker % 2 == 0 ? tokens() : elsewhere;
                        for (int step = 0; step < STEPS; step++) {
                            step(store, "worker-" + worker, random);
                        }
                        return worker;
                    });
                } finally {
                    isOver.set(true);
                }
                Concurrently.result(reader);
            }

            assertCoverEveryHashOnce(all());
        }

        @Test
        void letOneOfManySplitsFromOneVersionHappen() {
            TokenStore elsewhere = replica().tokenStore();
            for (int round = 0; round < 10; round++) {
                String consumer = "consumer-" + round;
                Segment segment = tokens().initialize(consumer, 1, START).get(0).segment();
                TokenClaim claim = tokens().claim(segment, "one", LEASE).orElseThrow();

                List<Optional<Segment>> splits =
                        Concurrently.race(WORKERS, worker -> (worker % 2 == 0 ? tokens() : elsewhere).split(claim, 0));

                assertThat(splits.stream().flatMap(Optional::stream)).hasSize(1);
                assertThat(tokens().findAll(consumer)).hasSize(2);
            }
        }

        @Test
        void letOneOfASplitAndAMergeHappen() {
            TokenStore elsewhere = replica().tokenStore();
            for (int round = 0; round < 10; round++) {
                String consumer = "consumer-" + round;
                tokens().initialize(consumer, 2, START);
                TokenClaim one =
                        tokens().claim(new Segment(consumer, 0), "one", LEASE).orElseThrow();
                TokenClaim other =
                        tokens().claim(new Segment(consumer, 1), "one", LEASE).orElseThrow();

                List<Boolean> answers = Concurrently.race(
                        2,
                        worker ->
                                worker == 0 ? tokens().split(other, 0).isPresent() : elsewhere.merge(one, 0, other, 0));

                assertThat(answers).containsOnlyOnce(true);
                assertCoverEveryHashOnce(tokens().findAll(consumer).stream()
                        .map(HeldToken::token)
                        .toList());
            }
        }

        private void step(TokenStore store, String owner, SplittableRandom random) {
            List<Token> all =
                    store.findAll(CONSUMER).stream().map(HeldToken::token).toList();
            Token token = all.get(random.nextInt(all.size()));
            int number = token.segment().number();
            int mask = token.setup().mask();
            switch (random.nextInt(8)) {
                case 0 -> store.reset(CONSUMER, token.setup().generation(), START);
                case 1 -> store.claim(token.segment(), owner, Duration.ZERO);
                case 2, 3, 4 ->
                    claim(store, token.segment(), owner).ifPresent(claim -> {
                        if (all.size() < 16) {
                            store.split(claim, token.version());
                        }
                        store.release(claim);
                    });
                default -> mergeWithSibling(store, token, new Segment(CONSUMER, Segments.sibling(number, mask)), owner);
            }
        }

        private void mergeWithSibling(TokenStore store, Token token, Segment sibling, String owner) {
            Optional<TokenClaim> one = claim(store, token.segment(), owner);
            Optional<TokenClaim> other = claim(store, sibling, owner);
            if (one.isPresent() && other.isPresent()) {
                Optional<Token> now = store.find(token.segment());
                Optional<Token> then = store.find(sibling);
                if (now.isPresent() && then.isPresent()) {
                    store.merge(
                            one.get(),
                            now.get().version(),
                            other.get(),
                            then.get().version());
                }
            }
            one.ifPresent(store::release);
            other.ifPresent(store::release);
        }

        private Optional<TokenClaim> claim(TokenStore store, Segment segment, String owner) {
            return store.claim(segment, owner, LEASE);
        }
    }
}

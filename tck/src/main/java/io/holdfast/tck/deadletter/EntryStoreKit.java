package io.holdfast.tck.deadletter;

import static io.holdfast.tck.deadletter.ParkedLetters.parkWrites;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.action.Action;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Requester;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.ResolvedLetter.Status;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryDetails;
import io.holdfast.deadletter.entry.EntryPage;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStatus;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.deadletter.entry.GroupQuery;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.tck.deadletter.ParkedLetters.Parked;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.Lines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Lists, counts and groups of entries: parked and resolved letters. */
@Lines(12)
public abstract class EntryStoreKit extends DeadLetterKit {

    private static final EntryQuery ALL_ENTRIES =
            EntryQuery.of(EntryStatus.values()).limit(EntryQuery.MAX_LIMIT);
    private static final EntryQuery ALL_PARKED =
            EntryQuery.of(EntryStatus.PENDING, EntryStatus.RETRYING, EntryStatus.HELD);
    private static final Cause TIMEOUT =
            new Cause("TimeoutException", "no answer in 5 s", "at shop.Mail.send(Mail.java:7)");

    private EntryStore entries() {
        return store().entryStore();
    }

    private void tick() {
        harness().passTime(Duration.ofSeconds(1));
    }

    private Parked commitPending(String sequence, long... positions) {
        tick();
        Parked parked = pending(sequence, positions);
        commit(parked.writes());
        return parked;
    }

    private Parked commitParked(Parked parked) {
        commit(parked.writes());
        return parked;
    }

    /** Returns the sequence with another cause of its first letter. */
    private static Parked failedWith(Cause cause, Parked parked) {
        List<DeadLetter> letters = new ArrayList<>(parked.letters());
        letters.set(0, letters.get(0).withCause(cause, letters.get(0).lastTouched()));
        return new Parked(parked.sequence().withCauseOf(letters.get(0)), letters);
    }

    private Parked withMetadata(Parked parked, UnaryOperator<Metadata> change) {
        List<DeadLetter> letters = parked.letters().stream()
                .map(letter -> withMetadata(letter, change))
                .toList();
        return new Parked(parked.sequence(), letters);
    }

    private static DeadLetter withMetadata(DeadLetter letter, UnaryOperator<Metadata> change) {
        EventMessage message = letter.message();
        return new DeadLetter(
                letter.sequence(),
                letter.number(),
                new EventMessage(
                        message.id(),
                        message.source(),
                        message.stream(),
                        message.key(),
                        message.version(),
                        message.occurredAt(),
                        change.apply(message.metadata()),
                        message.payload(),
                        message.logPosition()),
                letter.cause(),
                letter.enqueuedAt(),
                letter.lastTouched(),
                letter.attempts(),
                letter.diagnostics());
    }

    /** Removes the first letter of a sequence. */
    private void resolveFirst(Parked parked, Outcome outcome, Status status) {
        DeadLetter first = parked.letters().get(0);
        boolean isLast = parked.letters().size() == 1;
        ParkedSequence sequence = parked.sequence();
        LetterWrites removal = isLast
                ? new LetterWrites(List.of(), List.of(), List.of(first.id()), List.of(), List.of(parked.id()))
                : new LetterWrites(
                        List.of(),
                        List.of(),
                        List.of(first.id()),
                        List.of(sequence.without(first, parked.letters().get(1), now())),
                        List.of());
        commit(removal.withOutcomes(List.of(LetterOutcome.of(first, outcome)))
                .withResolved(List.of(ResolvedLetter.of(first, sequence, status, null))));
    }

    private List<LetterId> ids(EntryQuery query) {
        return entries().find(query).entries().stream().map(Entry::id).toList();
    }

    private static List<LetterId> ids(Parked... parked) {
        return Stream.of(parked)
                .flatMap(it -> it.letters().stream())
                .map(DeadLetter::id)
                .toList();
    }

    private List<Entry> readAll(EntryQuery query) {
        List<Entry> all = new ArrayList<>();
        EntryPage page = entries().find(query);
        all.addAll(page.entries());
        while (page.next() != null) {
            page = entries().find(query.after(page.next()));
            all.addAll(page.entries());
        }
        return all;
    }

    @Nested
    class Listing {

        @Test
        void returnsEveryLetterOfPendingSequences() {
            Parked first = commitPending("a", 1, 2, 3);
            commitParked(parked("retried", 4));
            Parked second = commitPending("b", 5);

            assertThat(ids(EntryQuery.PENDING)).isEqualTo(ids(second, first));
        }

        @Test
        void returnsSequencesByAgeNewestFirstAndTheirLettersInOrder() {
            tick();
            List<Parked> same = Stream.of("a", "ä", "B", "z")
                    .map(name -> pending(name, 1, 2))
                    .toList();
            commit(parkWrites(same));
            Parked newer = commitPending("newer", 3, 4);

            List<Entry> listed = entries().find(EntryQuery.PENDING).entries();

            assertThat(listed).hasSize(10).isSortedAccordingTo(Comparator.comparing(Entry::cursor));
            assertThat(listed.subList(0, 2)).extracting(Entry::id).isEqualTo(ids(newer));
        }

        @Test
        void describesParkedLetter() {
            tick();
            Parked parked = commitParked(withMetadata(
                    parked("a", 1, 2).with(it -> it.held("mail-breaker", now(), now().plusSeconds(9))),
                    metadata -> metadata.withSaga("Order", "saga-7")));

            List<Entry> listed = entries().find(ALL_PARKED).entries();

            assertThat(listed)
                    .containsExactly(
                            Entry.of(parked.sequence(), parked.letters().get(0), 1),
                            Entry.of(parked.sequence(), parked.letters().get(1), 2));
            assertThat(listed.get(0).status()).isEqualTo(EntryStatus.HELD);
            assertThat(listed.get(0).event().sagaId()).isEqualTo("saga-7");
            assertThat(listed.get(0).event().correlationId()).isEqualTo("kit");
            assertThat(listed.get(0).parked())
                    .satisfies(it -> assertThat(it.heldBy()).isEqualTo("mail-breaker"));
            assertThat(listed.get(1).failure()).isNull();
        }

        /** A letter in the middle of the sequence was removed, so numbers and positions differ. */
        @Test
        void countsPositionsAcrossGaps() {
            Parked parked = commitPending("a", 1, 2, 3);
            DeadLetter middle = parked.letters().get(1);
            commit(new LetterWrites(
                    List.of(),
                    List.of(),
                    List.of(middle.id()),
                    List.of(parked.sequence().without(middle, parked.letters().get(2), now())),
                    List.of()));

            assertThat(entries().find(EntryQuery.PENDING).entries())
                    .extracting(it -> it.parked() == null ? 0 : it.parked().position())
                    .containsExactly(1, 2);
        }

        @Test
        void describesResolvedLetter() {
            Parked parked = commitPending("a", 1, 2);
            tick();
            resolveFirst(parked, Outcome.APPLIED, Status.REPLAYED);

            Entry replayed = entries()
                    .find(EntryQuery.of(EntryStatus.REPLAYED))
                    .entries()
                    .get(0);

            assertThat(replayed.id()).isEqualTo(parked.letters().get(0).id());
            assertThat(replayed.status()).isEqualTo(EntryStatus.REPLAYED);
            assertThat(replayed.escalated()).isTrue();
            assertThat(replayed.causeGroup()).isEqualTo(parked.sequence().causeGroup());
            assertThat(replayed.failure()).isNotNull();
            assertThat(replayed.parked()).isNull();
            assertThat(replayed.resolution()).isNotNull();
            assertThat(replayed.consumer()).isEqualTo(CONSUMER);
        }

        @Test
        void neverReturnsClearedLetter() {
            Parked parked = commitPending("a", 1);
            resolveFirst(parked, Outcome.CLEARED, Status.CLEARED);

            assertThat(ids(ALL_ENTRIES)).isEmpty();
            assertThat(entries()
                            .find(COMPONENT, parked.letters().get(0).message().id()))
                    .isEmpty();
            assertThat(entries().count(ALL_ENTRIES)).isEqualTo(EntryCount.exactly(0));
        }

        @Test
        void listsParkedAndResolvedTogether() {
            Parked replayed = commitPending("a", 1, 2);
            resolveFirst(replayed, Outcome.APPLIED, Status.REPLAYED);
            Parked discarded = commitPending("b", 3);
            resolveFirst(discarded, Outcome.DISCARDED, Status.DISCARDED);
            Parked pending = commitPending("c", 4);

            List<Entry> listed = entries().find(ALL_ENTRIES).entries();

            assertThat(listed).isSortedAccordingTo(Comparator.comparing(Entry::cursor));
            assertThat(listed)
                    .extracting(Entry::status)
                    .containsExactlyInAnyOrder(
                            EntryStatus.REPLAYED, EntryStatus.RETRYING, EntryStatus.DISCARDED, EntryStatus.PENDING);
            assertThat(ids(EntryQuery.PENDING)).isEqualTo(ids(pending));
        }
    }

    @Nested
    class Paging {

        /** Pages end between sequences and in the middle of them; many are of the same time. */
        @Test
        void returnsEachEntryOnceWhateverThePageSize() {
            List<Parked> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                if (i % 5 == 0) {
                    tick();
                }
                all.add(
                        i % 3 == 0
                                ? parked("r" + i, 1, 2, 3)
                                : pending("p" + i, LongStream.rangeClosed(1, i).toArray()));
            }
            commit(parkWrites(all));
            for (int i = 1; i < 6; i++) {
                resolveFirst(all.get(i), Outcome.APPLIED, Status.REPLAYED);
            }
            List<Entry> expected = entries().find(ALL_ENTRIES).entries();

            assertThat(expected)
                    .hasSize(all.stream().mapToInt(it -> it.letters().size()).sum());
            for (int size : List.of(1, 2, 3, 7, 100)) {
                assertThat(readAll(ALL_ENTRIES.limit(size)))
                        .as("pages of %s", size)
                        .isEqualTo(expected);
            }
        }

        @Test
        void lastPageHasNoCursor() {
            commitPending("a", 1, 2);

            assertThat(entries().find(EntryQuery.PENDING.limit(2)).next()).isNull();
            assertThat(entries().find(EntryQuery.PENDING.limit(1)).next()).isNotNull();
        }

        /** The sequence of the last entry is gone, and newer ones were parked. */
        @Test
        void continuesAfterTheCursorWhateverChanged() {
            List<Parked> all = IntStream.range(0, 6)
                    .mapToObj(i -> commitPending("k" + i, i + 1))
                    .toList();
            EntryCursor middle = entries().find(EntryQuery.PENDING.limit(3)).next();
            resolveFirst(all.get(3), Outcome.APPLIED, Status.REPLAYED);
            commitPending("newer", 9);

            assertThat(ids(EntryQuery.PENDING.after(middle))).isEqualTo(ids(all.get(2), all.get(1), all.get(0)));
        }
    }

    @Nested
    class Filters {

        @Test
        void selectByEveryCriterion() {
            Parked mail = failedWith(TIMEOUT, pending("mail", 1, 2));
            Parked other = parked(OTHER_COMPONENT, "other", 3).with(it -> it.pending(1, now()));
            Parked saga = withMetadata(pending("saga", 4), metadata -> metadata.withSaga("Order", "saga-1")
                    .withCorrelationId("conversation"));
            commit(parkWrites(List.of(mail, other, saga)));
            UUID event = other.letters().get(0).message().id();
            String type = other.letters().get(0).message().type();

            assertSelected(mail, it -> it.causeGroup(mail.sequence().causeGroup()));
            assertThat(ids(EntryQuery.PENDING.causeType("TimeoutException")))
                    .containsExactly(mail.letters().get(0).id());
            assertThat(ids(EntryQuery.PENDING.text("ANSWER in 5")))
                    .containsExactly(mail.letters().get(0).id());
            assertThat(ids(EntryQuery.PENDING.text("100%"))).isEmpty();
            assertSelected(mail, it -> it.key("mail"));
            assertSelected(other, it -> it.components(Set.of(OTHER_COMPONENT)));
            assertSelected(other, it -> it.eventId(event));
            assertSelected(saga, it -> it.sagaId("saga-1"));
            assertSelected(saga, it -> it.correlationId("conversation"));
            assertThat(ids(EntryQuery.PENDING.eventType(type))).hasSize(4);
            assertThat(ids(EntryQuery.PENDING.eventType("Unknown"))).isEmpty();
            assertThat(ids(EntryQuery.PENDING.processor(CONSUMER))).hasSize(4);
            assertThat(ids(EntryQuery.PENDING.processor("another"))).isEmpty();
            assertThat(ids(EntryQuery.PENDING
                            .components(Set.of(OTHER_COMPONENT))
                            .eventId(mail.letters().get(0).message().id())))
                    .isEmpty();
        }

        /** The same filter, for each kind of status, counts what it lists. */
        private void assertSelected(Parked parked, UnaryOperator<EntryQuery> filter) {
            EntryQuery query = filter.apply(EntryQuery.PENDING);
            assertThat(ids(query)).isEqualTo(ids(parked));
            assertThat(entries().count(query))
                    .isEqualTo(EntryCount.exactly(parked.letters().size()));
        }

        @Test
        void selectResolvedLettersByEveryCriterion() {
            Parked mail = failedWith(
                    TIMEOUT, withMetadata(pending("mail", 1), metadata -> metadata.withSaga("Order", "saga-1")
                            .withCorrelationId("conversation")));
            Parked other = parked(OTHER_COMPONENT, "other", 3).with(it -> it.pending(1, now()));
            commit(parkWrites(List.of(mail, other)));
            resolveFirst(mail, Outcome.APPLIED, Status.REPLAYED);
            resolveFirst(other, Outcome.APPLIED, Status.REPLAYED);
            EventMessage event = mail.letters().get(0).message();

            for (EntryQuery query : List.<UnaryOperator<EntryQuery>>of(
                            it -> it.causeGroup(mail.sequence().causeGroup()),
                            it -> it.causeType("TimeoutException"),
                            it -> it.text("no answer"),
                            it -> it.key("mail"),
                            it -> it.components(Set.of(COMPONENT)),
                            it -> it.components(Set.of(COMPONENT, "unknown")),
                            it -> it.eventId(event.id()),
                            it -> it.sagaId("saga-1"),
                            it -> it.correlationId("conversation"))
                    .stream()
                    .map(it -> it.apply(EntryQuery.of(EntryStatus.REPLAYED)))
                    .toList()) {
                assertThat(ids(query)).as("%s", query).isEqualTo(ids(mail));
                assertThat(entries().count(query)).as("%s", query).isEqualTo(EntryCount.exactly(1));
            }
        }

        @Test
        void selectByTime() {
            Parked old = commitPending("old", 1, 2);
            Instant between = now().plusMillis(500);
            Parked recent = commitPending("recent", 3);

            assertThat(ids(EntryQuery.PENDING.from(between))).isEqualTo(ids(recent));
            assertThat(ids(EntryQuery.PENDING.to(between))).isEqualTo(ids(old));
            assertThat(ids(EntryQuery.PENDING.from(recent.sequence().since()))).isEqualTo(ids(recent));
            assertThat(ids(EntryQuery.PENDING.to(recent.sequence().since()))).isEqualTo(ids(old));
            assertThat(entries().count(EntryQuery.PENDING.from(between))).isEqualTo(EntryCount.exactly(1));
        }

        @Test
        void findNothingByTextsThatNoStoreKeeps() {
            commitPending("a", 1);

            for (String text : List.of("\u0000", "\ud800")) {
                assertThat(ids(EntryQuery.PENDING.sagaId(text))).isEmpty();
                assertThat(ids(EntryQuery.PENDING.text(text))).isEmpty();
                assertThat(entries().count(EntryQuery.PENDING.key(text)).count())
                        .isZero();
            }
        }
    }

    @Nested
    class Searching {

        /** One that matches is behind more letters than a request examines. */
        @Test
        void endsWhereItHasExaminedEnoughAndContinues() {
            Parked old = failedWith(TIMEOUT, commitFailed("old"));
            tick();
            parkMany(EntryStore.MAX_EXAMINED);
            Parked recent = failedWith(TIMEOUT, commitFailed("recent"));

            EntryPage page = entries().find(EntryQuery.PENDING.text("no answer"));

            assertThat(page.entries()).extracting(Entry::id).isEqualTo(ids(recent));
            assertThat(page.searchedUntil()).isNotNull();
            EntryPage next = entries().find(EntryQuery.PENDING.text("no answer").after(page.next()));
            assertThat(next.entries()).extracting(Entry::id).isEqualTo(ids(old));
            assertThat(next.next()).isNull();
        }

        private Parked commitFailed(String sequence) {
            tick();
            return commitParked(failedWith(TIMEOUT, pending(sequence, 1)));
        }

        /** A sequence may be longer than what a request examines. */
        @Test
        void continuesWithinLongSequence() {
            tick();
            Parked parked = pending(
                    "long",
                    LongStream.rangeClosed(1, EntryStore.MAX_EXAMINED + 10L).toArray());
            commitParked(parked);
            UUID last =
                    parked.letters().get(parked.letters().size() - 1).message().id();

            EntryQuery query = EntryQuery.PENDING.causeType("Unknown");
            EntryPage page = entries().find(query);

            assertThat(page.entries()).isEmpty();
            assertThat(page.next()).isNotNull();
            assertThat(entries().find(query.after(page.next())).next()).isNull();
            assertThat(ids(EntryQuery.PENDING.eventId(last))).hasSize(1);
            assertThat(entries().find(EntryQuery.PENDING.limit(2)).entries())
                    .extracting(it -> it.id().number())
                    .containsExactly(1L, 2L);
        }

        @Test
        void countsUpToALimit() {
            parkMany(EntryStore.MAX_COUNTED + 1);

            assertThat(entries().count(EntryQuery.PENDING)).isEqualTo(EntryCount.exactly(EntryStore.MAX_COUNTED + 1L));
            assertThat(entries().count(EntryQuery.PENDING.processor(CONSUMER)))
                    .isEqualTo(EntryCount.exactly(EntryStore.MAX_COUNTED + 1L));
            assertThat(entries().count(EntryQuery.PENDING.processor("another"))).isEqualTo(EntryCount.exactly(0));
            String type =
                    entries().find(EntryQuery.PENDING).entries().get(0).event().type();
            assertThat(entries().count(EntryQuery.PENDING.eventType(type)))
                    .isEqualTo(new EntryCount(EntryStore.MAX_COUNTED, true));
        }

        private void parkMany(int letters) {
            int size = 1_000;
            for (int from = 0; from < letters; from += size) {
                long[] positions = LongStream.rangeClosed(1, Math.min(size, letters - from))
                        .toArray();
                commitPending("many-" + from, positions);
            }
        }
    }

    @Nested
    class Counting {

        @Test
        void countsByStatusComponentAndGroup() {
            Parked pending = commitPending("a", 1, 2, 3);
            Parked held = commitParked(parked("b", 4, 5).with(it -> it.held("x", now(), now())));
            Parked other = commitParked(parked(OTHER_COMPONENT, "c", 6).with(it -> it.pending(1, now())));
            commitParked(parked("d", 7));

            assertCount(EntryQuery.PENDING, 4);
            assertCount(EntryQuery.of(EntryStatus.HELD), 2);
            assertCount(EntryQuery.of(EntryStatus.RETRYING), 1);
            assertCount(EntryQuery.of(EntryStatus.RETRYING, EntryStatus.HELD), 3);
            assertCount(ALL_PARKED, 7);
            assertCount(EntryQuery.PENDING.components(Set.of(COMPONENT)), 3);
            assertCount(ALL_PARKED.causeGroup(held.sequence().causeGroup()), 6);
            assertCount(EntryQuery.PENDING.causeGroup(pending.sequence().causeGroup()), 3);
            assertCount(
                    EntryQuery.of(EntryStatus.HELD).causeGroup(held.sequence().causeGroup()), 2);
            assertCount(ALL_PARKED.causeGroup(other.sequence().causeGroup()), 1);
            assertCount(ALL_PARKED.causeGroup(other.sequence().causeGroup()).components(Set.of(COMPONENT)), 0);
            resolveFirst(pending, Outcome.APPLIED, Status.REPLAYED);
            resolveFirst(other, Outcome.DISCARDED, Status.DISCARDED);
            assertCount(EntryQuery.of(EntryStatus.REPLAYED), 1);
            assertCount(EntryQuery.of(EntryStatus.REPLAYED, EntryStatus.DISCARDED), 2);
            assertCount(EntryQuery.of(EntryStatus.DISCARDED).components(Set.of(COMPONENT)), 0);
            assertCount(ALL_ENTRIES, 7);
        }

        private void assertCount(EntryQuery query, long count) {
            assertThat(entries().count(query)).as("%s", query).isEqualTo(EntryCount.exactly(count));
            assertThat(readAll(query)).hasSize(Math.toIntExact(count));
        }
    }

    @Nested
    class Details {

        @Test
        void containThePayloadOfParkedLetter() {
            Parked parked = commitPending("a", 1, 2);
            DeadLetter second = parked.letters().get(1);

            assertThat(entries().find(COMPONENT, second.message().id()))
                    .contains(new EntryDetails(Entry.of(parked.sequence(), second, 2), second));
        }

        @Test
        void containThePayloadOfResolvedLetter() {
            Parked parked = commitPending("a", 1);
            DeadLetter letter = parked.letters().get(0);
            resolveFirst(parked, Outcome.DISCARDED, Status.DISCARDED);

            assertThat(entries().find(COMPONENT, letter.message().id())).hasValueSatisfying(found -> {
                assertThat(found.letter()).isEqualTo(letter);
                assertThat(found.entry().status()).isEqualTo(EntryStatus.DISCARDED);
            });
        }

        @Test
        void areMissingForUnknownEvent() {
            commitPending("a", 1);

            assertThat(entries().find(COMPONENT, EventIds.random(now()))).isEmpty();
            assertThat(entries()
                            .find(
                                    "unknown",
                                    pending("a", 1).letters().get(0).message().id()))
                    .isEmpty();
        }

        @Test
        void nameTheActionThatSettled() {
            Parked parked = commitPending("a", 1, 2);
            DeadLetter first = parked.letters().get(0);
            store().actionStore()
                    .stage(Action.of(
                            "replay-1",
                            Action.Kind.REPLAY,
                            "an entry",
                            "hash",
                            Requester.CODE,
                            List.of(LetterItem.of(first, parked.sequence()))));

            resolveFirst(parked, Outcome.APPLIED, Status.REPLAYED);

            assertThat(entries().find(COMPONENT, first.message().id()))
                    .hasValueSatisfying(found -> assertThat(found.entry().resolution())
                            .satisfies(it -> assertThat(it.action()).isEqualTo("replay-1")));
        }

        /** A letter that is parked again is no longer resolved. */
        @Test
        void areThoseOfTheLetterThatIsParkedAgain() {
            Parked parked = commitPending("a", 1);
            resolveFirst(parked, Outcome.DISCARDED, Status.DISCARDED);
            tick();
            commit(parked.writes());

            assertThat(entries()
                            .find(COMPONENT, parked.letters().get(0).message().id()))
                    .hasValueSatisfying(
                            found -> assertThat(found.entry().status()).isEqualTo(EntryStatus.PENDING));
        }
    }

    @Nested
    class Groups {

        @Test
        void countTheLettersOfTheirSequences() {
            Parked pending = commitPending("a", 1, 2, 3);
            Parked retried = commitParked(parked("b", 4));
            Parked timeout = commitParked(failedWith(TIMEOUT, pending("c", 5, 6)));

            List<CauseGroup> groups = entries().groups(GroupQuery.ALL);

            assertThat(groups)
                    .extracting(CauseGroup::id)
                    .containsExactly(
                            pending.sequence().causeGroup(), timeout.sequence().causeGroup());
            assertGroup(pending, 3, 4);
            assertGroup(timeout, 2, 2);
            assertThat(groups.get(1).causeType()).isEqualTo("TimeoutException");
            assertThat(groups.get(1).causeMessage()).isEqualTo("no answer in 5 s");
            assertThat(groups.get(0).firstSeen()).isEqualTo(retried.sequence().since());
        }

        private void assertGroup(Parked parked, long pending, long all) {
            assertThat(entries().groups(GroupQuery.ALL.withResolved()))
                    .filteredOn(it -> it.id().equals(parked.sequence().causeGroup()))
                    .singleElement()
                    .satisfies(group -> {
                        assertThat(group.pending()).isEqualTo(pending);
                        assertThat(group.parked()).isEqualTo(all);
                    });
        }

        @Test
        void followEveryChangeOfTheirSequences() {
            Parked parked = commitParked(parked("a", 1, 2));
            assertGroup(parked, 0, 2);
            Parked pending = parked.with(it -> it.pending(3, now()));
            commit(updateWrites(pending, it -> it));
            assertGroup(parked, 2, 2);
            DeadLetter behind = nextLetter(pending, 3);
            commit(appendWrites(pending, behind));
            assertGroup(parked, 3, 3);
            Parked grown = withLetter(pending, behind);
            Parked failed = failedWith(TIMEOUT, grown);
            commit(new LetterWrites(
                    List.of(), List.of(failed.letters().get(0)), List.of(), List.of(failed.sequence()), List.of()));
            assertGroup(parked, 0, 0);
            assertGroup(failed, 3, 3);
            commit(failed.removeWrites());
            assertGroup(failed, 0, 0);
            assertThat(entries().groups(GroupQuery.ALL)).isEmpty();
        }

        @Test
        void areSeenAgain() {
            Parked first = commitPending("a", 1);
            tick();
            Parked second = commitParked(failedWith(new Cause("Boom", "another message", "at kit"), pending("b", 2)));

            assertThat(second.sequence().causeGroup())
                    .isEqualTo(first.sequence().causeGroup());
            assertThat(entries().groups(GroupQuery.ALL)).singleElement().satisfies(group -> {
                assertThat(group.firstSeen()).isEqualTo(first.letters().get(0).lastTouched());
                assertThat(group.lastSeen()).isEqualTo(second.letters().get(0).lastTouched());
                assertThat(group.causeMessage()).isEqualTo("another message");
            });
        }

        @Test
        void areSelectedByComponent() {
            commitPending("a", 1);
            Parked other = commitParked(parked(OTHER_COMPONENT, "c", 6));

            assertThat(entries().groups(GroupQuery.ALL.components(Set.of(OTHER_COMPONENT))))
                    .extracting(CauseGroup::id)
                    .containsExactly(other.sequence().causeGroup());
            assertThat(entries().groups(GroupQuery.ALL.limit(1))).hasSize(1);
        }

        @Test
        void keepNotes() {
            String group =
                    Objects.requireNonNull(commitPending("a", 1).sequence().causeGroup());

            assertThat(entries().note(group, "call the supplier: Grüße", "ana")).isTrue();

            assertThat(entries().groups(GroupQuery.ALL)).singleElement().satisfies(noted -> {
                assertThat(noted.note()).isEqualTo("call the supplier: Grüße");
                assertThat(noted.noteBy()).isEqualTo("ana");
                assertThat(noted.notedAt()).isNotNull();
            });
            commitPending("b", 2);
            assertThat(entries().groups(GroupQuery.ALL).get(0).note()).isNotNull();
            entries().note(group, null, "bob");
            assertThat(entries().groups(GroupQuery.ALL).get(0).note()).isNull();
            assertThat(entries().groups(GroupQuery.ALL).get(0).noteBy()).isNull();
        }

        @Test
        void rejectNotesThatAreTooLongOrOfNoGroup() {
            assertThat(entries().note("unknown", "x", "ana")).isFalse();
            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> entries().note("unknown", "x".repeat(CauseGroup.MAX_NOTE + 1), "ana"))
                    .withMessageContaining("2000");
        }

        /** Groups expire with the entries that they explain. */
        @Test
        void expireOnceTheyAreEmpty() {
            Parked resolved = commitPending("a", 1);
            resolveFirst(resolved, Outcome.APPLIED, Status.REPLAYED);
            Parked timeout = commitParked(failedWith(TIMEOUT, pending("c", 5, 6)));
            harness().passTime(Duration.ofHours(1));

            store().actionStore().deleteExpired(Duration.ofDays(90), Duration.ofMillis(1), ALL);

            assertThat(entries().groups(GroupQuery.ALL.withResolved()))
                    .extracting(CauseGroup::id)
                    .containsExactly(timeout.sequence().causeGroup());
        }
    }

    @Nested
    class Crashes {

        /** Each commit point: a resolved letter is either still parked or an entry, never both or neither. */
        @Test
        void loseAndRepeatNoEntry() {
            int number = 0;
            for (Moment moment : Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_LETTERS, CommitPoint.WRITE_OUTCOMES, CommitPoint.COMMIT)) {
                Parked parked = commitPending("k" + number++, number);
                Crash.at(moment, harness(), () -> resolveFirst(parked, Outcome.APPLIED, Status.REPLAYED));

                UUID event = parked.letters().get(0).message().id();
                assertThat(ids(ALL_ENTRIES.eventId(event))).as("%s", moment).hasSize(1);
                long all =
                        entries().groups(GroupQuery.ALL.withResolved()).get(0).parked();
                assertThat(all)
                        .as("%s", moment)
                        .isEqualTo(entries().count(ALL_PARKED).count());
            }
        }
    }
}

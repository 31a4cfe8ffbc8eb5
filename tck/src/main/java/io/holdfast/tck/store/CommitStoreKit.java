package io.holdfast.tck.store;

import static io.holdfast.tck.harness.StoreWriter.events;
import static io.holdfast.tck.harness.StoreWriter.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.action.Action.Kind;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Settlement;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyRead;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.Snapshot;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.view.RowKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link CommitStore} and its sessions. */
public abstract class CommitStoreKit extends StoreKit {

    /** The moments before and after each durable write of one commit. */
    static List<CrashPoints.Moment> commitMoments() {
        return CrashPoints.Moment.of(
                CommitPoint.LOCK_HEAD,
                CommitPoint.WRITE_EVENTS,
                CommitPoint.WRITE_ROWS,
                CommitPoint.WRITE_TOKENS,
                CommitPoint.WRITE_SNAPSHOTS,
                CommitPoint.COMMIT);
    }

    private CommitStore commits() {
        return store().commitStore();
    }

    private static ReadVersions key(String stream, String key, long version) {
        return new ReadVersions(Map.of(new AggregateKey(stream, key), version), Map.of());
    }

    @Nested
    class HeadRow {

        @Test
        void isLockedByOneSessionAtATime() throws Exception {
            CountDownLatch waiting = new CountDownLatch(1);
            CompletableFuture<Boolean> second;
            try (CommitSession first = commits().open()) {
                first.lockHead();
                second = CompletableFuture.supplyAsync(() -> {
                    try (CommitSession session = replica().commitStore().open()) {
                        waiting.countDown();
                        session.lockHead();
                        return !session.findChanged(key("notes", "a", 0)).isEmpty();
                    }
                });
                assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
                first.write(List.of(events(writer().draft("notes", "a", 1))));
                assertThat(second).isNotDone();
                first.commit();
            }

            assertThat(second.get(10, TimeUnit.SECONDS))
                    .as("it locks the head after the first commit, and sees it")
                    .isTrue();
        }
    }

    @Nested
    class Order {

        @Test
        void assignsPositionsInOrderOfUnitsAndTheirEvents() {
            EventDraft first = writer().draft("notes", "a", 1);
            EventDraft second = writer().draft("lists", "x", 1);
            EventDraft third = writer().draft("notes", "a", 2);

            List<EventMessage> committed = writer().commit(events(first, second), events(third));

            assertThat(committed).extracting(EventMessage::id).containsExactly(first.id(), second.id(), third.id());
            assertThat(committed).extracting(EventMessage::position).containsExactly(1L, 2L, 3L);
        }

        @Test
        void rejectsEventThatLeavesVersionGap() {
            assertThat(kinds(writer().rejections(events(writer().draft("notes", "a", 2)))))
                    .containsExactly(Rejection.Kind.CONFLICT);
        }

        @Test
        void rejectsSecondEventWithSameVersion() {
            writer().append("notes", "a", 1);

            assertThat(kinds(writer().rejections(events(writer().draft("notes", "a", 1)))))
                    .containsExactly(Rejection.Kind.CONFLICT);
        }

        @Test
        void rejectsSecondEventWithSameVersionInOneBatch() {
            List<Rejection> rejections = writer().rejections(
                            events(writer().draft("notes", "a", 1)), events(writer().draft("notes", "a", 1)));

            assertThat(rejections).extracting(Rejection::unit).containsExactly(1);
            assertThat(kinds(rejections)).containsExactly(Rejection.Kind.CONFLICT);
        }

        @Test
        void rejectsRowThatDoesNotFollowItsVersion() {
            writer().commit(rows(writer().row("board", "x", 1, "first")));

            assertThat(kinds(writer().rejections(rows(writer().row("board", "x", 1, "again")))))
                    .containsExactly(Rejection.Kind.CONFLICT);
            assertThat(kinds(writer().rejections(rows(writer().row("board", "x", 3, "skips")))))
                    .containsExactly(Rejection.Kind.CONFLICT);
        }
    }

    @Nested
    class Duplicates {

        @Test
        void rejectsExistingIdAsDuplicate() {
            EventMessage known = writer().append("notes", "a", 1);

            List<Rejection> rejections = writer().rejections(
                            events(writer().draft("notes", "b", 1)),
                            events(writer().draft(known.id(), "notes", "a", 2)));

            assertThat(rejections).extracting(Rejection::unit).containsExactly(1);
            assertThat(kinds(rejections)).containsExactly(Rejection.Kind.DUPLICATE);
        }

        @Test
        void rejectsRepeatedIdInOneBatchAsDuplicate() {
            EventDraft draft = writer().draft("notes", "a", 1);

            List<Rejection> rejections =
                    writer().rejections(events(draft), events(writer().draft(draft.id(), "notes", "b", 1)));

            assertThat(rejections).extracting(Rejection::unit).containsExactly(1);
            assertThat(kinds(rejections)).containsExactly(Rejection.Kind.DUPLICATE);
        }
    }

    @Nested
    class Staleness {

        @Test
        void detectsStaleKeyVersion() {
            writer().append("notes", "a", 1);

            assertThat(isStale(key("notes", "a", 0))).isTrue();
            assertThat(isStale(key("notes", "a", 1))).isFalse();
            assertThat(isStale(key("notes", "a", 2))).isTrue();
            assertThat(isStale(key("notes", "never", 0))).isFalse();
        }

        @Test
        void detectsStaleRowVersionEvenAfterRemoval() {
            RowKey row = new RowKey("board", "x");
            writer().commit(rows(writer().row("board", "x", 1, "first")));
            writer().commit(rows(writer().row("board", "x", 2, null)));

            assertThat(isStale(new ReadVersions(Map.of(), Map.of(row, 0L)))).isTrue();
            assertThat(isStale(new ReadVersions(Map.of(), Map.of(row, 1L)))).isTrue();
            assertThat(isStale(new ReadVersions(Map.of(), Map.of(row, 2L)))).isFalse();
        }

        private boolean isStale(ReadVersions versions) {
            try (CommitSession session = commits().open()) {
                session.lockHead();
                return !session.findChanged(versions).isEmpty();
            }
        }
    }

    @Nested
    class Reading {

        private final RowKey row = new RowKey("board", "x");

        @Test
        void returnsCommittedEventsAndRows() {
            EventMessage event = writer().append("notes", "a", 1);
            writer().commit(rows(writer().row("board", "x", 1, "first")));
            try (CommitSession session = commits().open()) {
                assertReads(session, List.of(event), 1);
                session.lockHead();
                assertReads(session, List.of(event), 1);
            }
        }

        @Test
        void showsUnderTheHeadLockWhatOthersHaveCommittedSinceTheFirstRead() {
            try (CommitSession session = commits().open()) {
                assertReads(session, List.of(), 0);
                EventMessage event = writer().append("notes", "a", 1);
                writer().commit(rows(writer().row("board", "x", 1, "first")));

                session.lockHead();

                assertReads(session, List.of(event), 1);
                assertThat(session.find(List.of(event.id()))).containsExactly(event);
                assertThat(session.findChanged(new ReadVersions(
                                Map.of(new AggregateKey("notes", "a"), 0L, new AggregateKey("notes", "b"), 0L),
                                Map.of(row, 0L, new RowKey("board", "y"), 0L))))
                        .isEqualTo(new ReadVersions(Map.of(new AggregateKey("notes", "a"), 1L), Map.of(row, 1L)));
            }
        }

        private void assertReads(CommitSession session, List<EventMessage> events, long rowVersion) {
            assertThat(session.readKeys(List.of(KeyRead.after("notes", "a", 0)), 10))
                    .singleElement()
                    .satisfies(history -> assertThat(history.events()).isEqualTo(events));
            assertThat(session.find(events.stream().map(EventMessage::id).toList()))
                    .isEqualTo(events);
            assertThat(session.findRows(List.of(row))).singleElement().satisfies(found -> assertThat(found.version())
                    .isEqualTo(rowVersion));
        }
    }

    @Nested
    class Rollback {

        @Test
        void discardsWritesAndReleasesHeadWhenSessionCloses() {
            UnitWrites unit = unitWithAllWrites(1);
            try (CommitSession session = commits().open()) {
                session.lockHead();
                assertThat(session.write(List.of(unit))).isEmpty();
            }

            assertNothingStored();
            assertThat(writer().append("notes", "a", 1).position()).isEqualTo(1);
        }

        @Test
        void discardsAcceptedUnitsWhenAnotherIsRejected() {
            writer().rejections(events(writer().draft("notes", "a", 1)), events(writer().draft("notes", "b", 7)));

            assertNothingStored();
        }

        @Test
        void closesSessionIdempotently() {
            CommitSession session = commits().open();
            session.lockHead();
            session.close();
            session.close();

            assertThat(writer().append("notes", "a", 1).position()).isEqualTo(1);
        }
    }

    /** A process crashes before or after each durable write of a commit, which leaves the whole unit or nothing. */
    @Nested
    class Crashing {

        static Stream<CrashPoints.Moment> moments() {
            return commitMoments().stream();
        }

        @ParameterizedTest
        @MethodSource("moments")
        void leavesAllOrNothing(CrashPoints.Moment moment) {
            require(Capability.CRASH_POINTS);
            UnitWrites unit = unitWithAllWrites(1);
            harness().crashPoints().crashAt(moment);

            assertThatThrownBy(() -> writer().commit(unit)).isInstanceOf(SimulatedCrash.class);

            boolean committed = moment.point() == CommitPoint.COMMIT && moment.after();
            if (committed) {
                assertThat(store().eventLog().readAll(0, 10)).hasSize(2);
                assertThat(store().eventLog().findSnapshot("notes", "a")).isPresent();
                assertThat(store().viewStore().page("board", "", 10)).hasSize(1);
                assertThat(token().version()).isEqualTo(1);
            } else {
                assertNothingStored();
                assertThat(writer().commit(unit)).hasSize(2);
            }
            assertThat(writer().append("notes", "c", 1).position()).isEqualTo(3);
        }
    }

    @Nested
    class RaisingEpoch {

        private static final Epoch FIRST = new Epoch(1, 0);

        private EventLog log() {
            return store().eventLog();
        }

        @Test
        void startsNewEpochAtNewestEvent() {
            UUID id = log().identity().id();
            writer().append("notes", "a", 1);
            writer().append("lists", "x", 1);

            Epoch raised = commits().raiseEpoch();

            assertThat(raised).isEqualTo(new Epoch(2, 2));
            assertThat(log().identity()).isEqualTo(new LogIdentity(id, 2));
            assertThat(log().epochs()).containsExactly(FIRST, raised);
        }

        @Test
        void reportsExistingEventsUnderNewEpoch() {
            EventMessage note = writer().append("notes", "a", 1);
            writer().append("lists", "x", 1);

            commits().raiseEpoch();

            assertThat(log().readAll(0, 10)).hasSize(2).allSatisfy(this::assertSecondEpoch);
            assertThat(log().readStream("notes", 0, 10)).singleElement().satisfies(this::assertSecondEpoch);
            assertThat(log().readKey("notes", "a", 0, 10)).singleElement().satisfies(this::assertSecondEpoch);
            assertThat(log().find(List.of(note.id()))).singleElement().satisfies(this::assertSecondEpoch);
            assertThat(log().heads()).hasSize(2).allSatisfy(head -> assertThat(head.log())
                    .isEqualTo(log().identity()));
            assertThat(log().head("notes").log()).isEqualTo(log().identity());
            assertThat(log().head("empty").log()).isEqualTo(log().identity());
        }

        private void assertSecondEpoch(EventMessage event) {
            assertThat(event.logPosition().log().epoch()).isEqualTo(2);
        }

        @Test
        void continuesPositionsAndChainWithoutGap() {
            writer().append("notes", "a", 1);
            writer().append("lists", "x", 1);
            commits().raiseEpoch();

            EventMessage next = writer().append("notes", "a", 2);

            assertThat(next.position()).isEqualTo(3);
            assertThat(next.logPosition().log()).isEqualTo(log().identity());
            assertThat(log().readAll(2, 10)).containsExactly(next);
            StreamPosition reached = StreamPosition.beginning(log().identity());
            for (EventMessage event : log().readStream("notes", 0, 10)) {
                assertThat(reached.isFollowedBy(event)).isTrue();
                reached = event.streamPosition();
            }
            assertThat(reached).isEqualTo(log().head("notes").streamPosition());
        }

        @Test
        void appliesToSessionOpenedBefore() {
            try (CommitSession session = commits().open()) {
                commits().raiseEpoch();
                session.lockHead();
                assertThat(session.write(List.of(events(writer().draft("notes", "a", 1)))))
                        .isEmpty();

                assertThat(session.commit()).singleElement().satisfies(this::assertSecondEpoch);
            }
        }

        @Test
        void startsAnotherEpochEachTime() {
            writer().append("notes", "a", 1);
            commits().raiseEpoch();
            writer().append("notes", "a", 2);
            writer().append("notes", "a", 3);

            commits().raiseEpoch();

            assertThat(log().epochs()).containsExactly(FIRST, new Epoch(2, 1), new Epoch(3, 3));
            assertThat(log().identity().epoch()).isEqualTo(3);
        }

        @Test
        void isVisibleToReplicaStartedAfterwards() {
            writer().append("notes", "a", 1);
            commits().raiseEpoch();

            EventLog otherReplica = replica().eventLog();

            assertThat(otherReplica.identity()).isEqualTo(log().identity());
            assertThat(otherReplica.epochs()).isEqualTo(log().epochs());
            assertThat(otherReplica.readAll(0, 10)).isEqualTo(log().readAll(0, 10));
        }

        @Test
        void waitsForRunningCommit() {
            Future<Epoch> raised;
            try (TestThreads threads = new TestThreads();
                    CommitSession session = commits().open()) {
                session.lockHead();
                assertThat(session.write(List.of(events(writer().draft("notes", "a", 1)))))
                        .isEmpty();
                raised = threads.start(() -> commits().raiseEpoch());

                assertThat(TestThreads.completesSoon(raised)).isFalse();
                session.commit();
            }

            assertThat(TestThreads.result(raised)).isEqualTo(new Epoch(2, 1));
        }

        @Test
        void commitsTheOutcomeOfAnOperation() {
            writer().append("notes", "a", 1);
            StagedActions operations = new StagedActions(store().actionStore());
            Settlement settlement = operations.operation(Kind.RAISE_EPOCH, "notes");

            Crash.before(CommitPoint.EPOCH_RAISE, harness(), () -> commits().raiseEpoch(settlement));
            assertThat(operations.isOpen(settlement)).isTrue();
            assertThat(log().epochs()).containsExactly(FIRST);

            Crash.after(CommitPoint.EPOCH_RAISE, harness(), () -> commits().raiseEpoch(settlement));
            operations.assertApplied(settlement);
            assertThat(replica().eventLog().epochs()).containsExactly(FIRST, new Epoch(2, 1));
        }

        @Test
        void startsNoEpochForASettledOperation() {
            StagedActions operations = new StagedActions(store().actionStore());
            Settlement settlement = operations.operation(Kind.RAISE_EPOCH, "notes");
            commits().raiseEpoch(settlement);

            assertThatExceptionOfType(AlreadySettledException.class)
                    .isThrownBy(() -> commits().raiseEpoch(settlement));

            assertThat(log().epochs()).hasSize(2);
        }

        @Test
        void keepsOldEpochAfterCrashBeforeWrite() {
            writer().append("notes", "a", 1);
            Crash.before(CommitPoint.EPOCH_RAISE, harness(), () -> commits().raiseEpoch());

            for (EventLog seen : List.of(log(), replica().eventLog())) {
                assertThat(seen.identity().epoch()).isEqualTo(1);
                assertThat(seen.epochs()).containsExactly(FIRST);
            }
            assertThat(commits().raiseEpoch()).isEqualTo(new Epoch(2, 1));
        }

        @Test
        void keepsNewEpochAfterCrashAfterWrite() {
            writer().append("notes", "a", 1);
            Crash.after(CommitPoint.EPOCH_RAISE, harness(), () -> commits().raiseEpoch());

            for (EventLog seen : List.of(log(), replica().eventLog())) {
                assertThat(seen.identity().epoch()).isEqualTo(2);
                assertThat(seen.epochs()).containsExactly(FIRST, new Epoch(2, 1));
            }
            assertThat(writer().append("notes", "a", 2).position()).isEqualTo(2);
        }
    }

    @Nested
    class ConcurrentCommits {

        @Test
        void getUniqueGaplessPositions() {
            int each = 100;

            IntStream.range(0, 4).parallel().forEach(worker -> {
                for (int version = 1; version <= each; version++) {
                    writer().append("notes", "worker-" + worker, version);
                }
            });

            assertThat(store().eventLog().readAll(0, 1_000))
                    .extracting(EventMessage::position)
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 4 * each)
                            .mapToObj(Long::valueOf)
                            .toList());
        }
    }

    private static final Segment SEGMENT = new Segment("kit", 0);

    /** A unit with one write of each kind: two events, a row, a token, a snapshot. */
    private UnitWrites unitWithAllWrites(long version) {
        store().tokenStore()
                .initialize(
                        SEGMENT,
                        Map.of(
                                "notes",
                                StreamPosition.beginning(store().eventLog().identity())));
        TokenClaim claim = store().tokenStore()
                .claim(SEGMENT, "kit", Duration.ofMinutes(10))
                .orElseThrow();
        return new UnitWrites(
                List.of(writer().draft("notes", "a", version), writer().draft("notes", "b", version)),
                List.of(writer().row("board", "x", version, "first")),
                List.of(new Snapshot("notes", "a", version, null, codec.encode(new Noted("state")))),
                Optional.of(TokenAdvances.next(claim, token().version(), Map.of())));
    }

    private Token token() {
        return store().tokenStore().find(SEGMENT).orElseThrow();
    }

    private void assertNothingStored() {
        assertThat(store().eventLog().readAll(0, 10)).isEmpty();
        assertThat(store().eventLog().heads()).isEmpty();
        assertThat(store().eventLog().findSnapshot("notes", "a")).isEmpty();
        assertThat(store().viewStore().page("board", "", 10)).isEmpty();
        store().tokenStore().find(SEGMENT).ifPresent(token -> assertThat(token.version())
                .isZero());
    }

    private static List<Rejection.Kind> kinds(List<Rejection> rejections) {
        return rejections.stream().map(Rejection::kind).toList();
    }
}

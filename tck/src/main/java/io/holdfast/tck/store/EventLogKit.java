package io.holdfast.tck.store;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.Snapshot;
import io.holdfast.event.SnapshotFormat;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.harness.StoreKit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.data.TemporalUnitOffset;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link EventLog}. */
public abstract class EventLogKit extends StoreKit {

    private EventLog log() {
        return store().eventLog();
    }

    private static List<Long> positions(List<EventMessage> events) {
        return events.stream().map(EventMessage::position).toList();
    }

    private static List<Long> versions(List<EventMessage> events) {
        return events.stream().map(EventMessage::version).toList();
    }

    @Nested
    class EmptyLog {

        @Test
        void hasPositionZeroAndNoEvents() {
            assertThat(log().position()).isZero();
            assertThat(log().readAll(0, 10)).isEmpty();
            assertThat(log().readStream("notes", 0, 10)).isEmpty();
            assertThat(log().readKey("notes", "a", 0, 10)).isEmpty();
            assertThat(log().heads()).isEmpty();
            assertThat(log().findSnapshot("notes", "a")).isEmpty();
        }

        @Test
        void hasStableIdentity() {
            assertThat(log().identity().epoch()).isEqualTo(1);
            assertThat(log().identity()).isEqualTo(log().identity());
            assertThat(log().head("notes")).isEqualTo(new StreamHead("notes", log().identity(), 0, null));
        }

        @Test
        void isInFirstEpoch() {
            assertThat(log().epochs()).containsExactly(new Epoch(1, 0));
        }
    }

    @Nested
    class Content {

        @Test
        void returnsCommittedEventCompletely() {
            EventDraft draft = writer().draft("notes", "a", 1);

            EventMessage committed = writer().commit(events(draft)).get(0);

            EventMessage read = log().readAll(0, 10).get(0);
            assertThat(read).isEqualTo(committed);
            assertThat(read.id()).isEqualTo(draft.id());
            assertThat(read.source()).isEqualTo(StoreHarness.SERVICE);
            assertThat(read.stream()).isEqualTo("notes");
            assertThat(read.key()).isEqualTo("a");
            assertThat(read.version()).isEqualTo(1);
            assertThat(read.occurredAt()).isCloseTo(draft.occurredAt(), byLessThanAMicrosecond());
            assertThat(read.metadata()).isEqualTo(draft.metadata());
            assertThat(read.payload()).isEqualTo(draft.payload());
            assertThat(read.logPosition().log()).isEqualTo(log().identity());
        }

        private TemporalUnitOffset byLessThanAMicrosecond() {
            return within(1, ChronoUnit.MICROS);
        }

        @Test
        void separatesKeysThatDifferInCaseOrSpace() {
            writer().append("notes", "a", 1);
            writer().append("notes", "A", 1);
            writer().append("notes", "a ", 1);

            assertThat(log().readKey("notes", "a", 0, 10)).hasSize(1);
            assertThat(log().readKey("notes", "A", 0, 10)).hasSize(1);
            assertThat(log().readKey("notes", "a ", 0, 10)).hasSize(1);
        }

        private EventMessage appendAt(String key, Instant time) {
            EventDraft draft = writer().draft("notes", key, 1);
            return writer().commit(events(new EventDraft(
                            draft.id(),
                            draft.source(),
                            draft.key(),
                            draft.version(),
                            time,
                            draft.metadata(),
                            draft.payload())))
                    .get(0);
        }

        /** The clocks of replicas differ and are set, and outbox entries get their positions late. */
        @Test
        void findsFirstEventByTimeAlthoughTimesAreNotSorted() {
            Instant noon = Instant.parse("2026-01-01T12:00:00Z");
            EventMessage first = appendAt("a", noon);
            EventMessage second = appendAt("b", noon.plusSeconds(60));
            appendAt("c", noon.minusSeconds(3_600));
            EventMessage last = appendAt("d", noon.plusSeconds(61));
            writer().append("lists", "a", 1);

            assertThat(log().findFirst("notes", Instant.EPOCH)).contains(first);
            assertThat(log().findFirst("notes", noon)).contains(first);
            assertThat(log().findFirst("notes", noon.plusNanos(1_000))).contains(second);
            assertThat(log().findFirst("notes", noon.plusSeconds(60))).contains(second);
            assertThat(log().findFirst("notes", noon.plusSeconds(61))).contains(last);
            assertThat(log().findFirst("notes", noon.plusSeconds(62))).isEmpty();
            assertThat(log().findFirst("unknown", noon)).isEmpty();
        }

        /** More than a store examines at once. */
        @Test
        void findsFirstEventByTimeBehindManyOthers() {
            EventDraft[] drafts = IntStream.range(0, 12_000)
                    .mapToObj(number -> writer().draft("notes", "key-" + number, 1))
                    .toArray(EventDraft[]::new);
            writer().commit(events(drafts));
            Instant later = harness().clock().instant().plusSeconds(3_600);

            assertThat(log().findFirst("notes", later)).isEmpty();
            EventMessage last = appendAt("last", later);
            assertThat(log().findFirst("notes", later)).contains(last);
        }

        /** A store may keep microseconds only. */
        @Test
        void findsFirstEventByTimeInNanoseconds() {
            Instant time = Instant.parse("2026-01-01T12:00:00.000000400Z");
            EventMessage event = appendAt("a", time.plusNanos(100));

            assertThat(log().findFirst("notes", time)).contains(event);
        }

        @Test
        void findsEventsByIdInPositionOrder() {
            EventMessage first = writer().append("notes", "a", 1);
            EventMessage second = writer().append("notes", "b", 1);
            UUID unknown = EventIds.random(harness().clock().instant());

            assertThat(log().find(List.of(second.id(), unknown, first.id(), second.id())))
                    .containsExactly(first, second);
            assertThat(log().find(List.of())).isEmpty();
        }
    }

    @Nested
    class Ordering {

        @Test
        void assignsGaplessPositionsAcrossStreams() {
            writer().commit(events(writer().draft("notes", "a", 1), writer().draft("lists", "x", 1)));
            writer().commit(
                            events(writer().draft("notes", "a", 2)),
                            events(writer().draft("lists", "y", 1), writer().draft("notes", "b", 1)));

            assertThat(positions(log().readAll(0, 10))).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(log().position()).isEqualTo(5);
        }

        @Test
        void linksEachEventToItsPredecessorInStream() {
            EventMessage first = writer().append("notes", "a", 1);
            writer().append("lists", "x", 1);
            List<EventMessage> later =
                    writer().commit(events(writer().draft("notes", "b", 1), writer().draft("notes", "a", 2)));

            assertThat(first.logPosition().previousPosition()).isZero();
            assertThat(first.logPosition().previousId()).isNull();
            assertThat(later.get(0).logPosition().previousPosition()).isEqualTo(first.position());
            assertThat(later.get(0).logPosition().previousId()).isEqualTo(first.id());
            StreamPosition reached = StreamPosition.beginning(log().identity());
            for (EventMessage event : log().readStream("notes", 0, 10)) {
                assertThat(reached.isFollowedBy(event)).isTrue();
                reached = event.streamPosition();
            }
        }

        @Test
        void reportsNewestEventOfEachStreamAsHead() {
            writer().append("notes", "a", 1);
            EventMessage list = writer().append("lists", "x", 1);
            EventMessage note = writer().append("notes", "a", 2);

            assertThat(log().heads())
                    .containsExactly(
                            new StreamHead("lists", log().identity(), list.position(), list.id()),
                            new StreamHead("notes", log().identity(), note.position(), note.id()));
            assertThat(log().head("notes").id()).isEqualTo(note.id());
        }

        @Test
        void readsKeyInVersionOrder() {
            LongStream.rangeClosed(1, 5).forEach(version -> {
                writer().append("notes", "a", version);
                writer().append("notes", "b", version);
            });

            assertThat(versions(log().readKey("notes", "a", 0, 10))).containsExactly(1L, 2L, 3L, 4L, 5L);
        }
    }

    @Nested
    class Paging {

        @Test
        void readsAboveStartUpToLimit() {
            LongStream.rangeClosed(1, 5).forEach(version -> writer().append("notes", "a", version));
            writer().append("lists", "x", 1);

            assertThat(positions(log().readAll(2, 3))).containsExactly(3L, 4L, 5L);
            assertThat(positions(log().readStream("notes", 3, 1))).containsExactly(4L);
            assertThat(positions(log().readStream("notes", 4, 10))).containsExactly(5L);
            assertThat(versions(log().readKey("notes", "a", 3, 10))).containsExactly(4L, 5L);
            assertThat(log().readAll(6, 10)).isEmpty();
        }
    }

    @Nested
    class Visibility {

        @Test
        void hidesUncommittedEvents() {
            try (CommitSession session = store().commitStore().open()) {
                session.lockHead();
                assertThat(session.write(List.of(events(writer().draft("notes", "a", 1)))))
                        .isEmpty();

                assertThat(log().readAll(0, 10)).isEmpty();
            }

            assertThat(log().readAll(0, 10)).isEmpty();
            assertThat(log().position()).isZero();
        }

        @Test
        void showsCommittedEventsToOtherReplicas() {
            EventLog otherReplica = replica().eventLog();

            EventMessage event = writer().append("notes", "a", 1);

            assertThat(otherReplica.readAll(0, 10)).containsExactly(event);
            assertThat(otherReplica.identity()).isEqualTo(log().identity());
        }
    }

    @Nested
    class Snapshots {

        @Test
        void returnsNewestSnapshot() {
            snapshot("notes", "a", 1);
            Snapshot second = snapshot("notes", "a", 2);
            snapshot("notes", "b", 1);

            assertThat(log().findSnapshot("notes", "a")).contains(second);
        }

        private Snapshot snapshot(String stream, String key, long version) {
            Snapshot snapshot = new Snapshot(
                    stream, key, version, new UUID(1, version), codec.encode(new Noted("state " + version)));
            writer().commit(new UnitWrites(
                    List.of(writer().draft(stream, key, version)), List.of(), List.of(snapshot), Optional.empty()));
            return snapshot;
        }
    }

    @Nested
    class Histories {

        private final SnapshotFormat format = new SnapshotFormat("Noted", 1);

        @Test
        void startAtSnapshotOfWantedFormat() {
            appendThree("a");
            appendThree("b");

            List<KeyHistory> histories =
                    log().readKeys(List.of(KeyRead.from("notes", "b", format), KeyRead.from("notes", "a", format)), 10);

            assertThat(histories).extracting(KeyHistory::key).containsExactlyInAnyOrder("a", "b");
            assertThat(histories).allSatisfy(history -> {
                assertThat(history.stream()).isEqualTo("notes");
                assertThat(history.snapshot())
                        .isEqualTo(log().findSnapshot("notes", history.key()).orElseThrow());
                assertThat(history.events())
                        .as("the last event of the snapshot, and the one after it")
                        .isEqualTo(log().readKey("notes", history.key(), 1, 10))
                        .hasSize(2);
            });
        }

        @Test
        void startAtFirstEventWithoutSnapshotOfWantedFormat() {
            appendThree("a");
            List<SnapshotFormat> others = List.of(new SnapshotFormat("Noted", 2), new SnapshotFormat("Other", 1));

            for (SnapshotFormat other : others) {
                KeyHistory history = only(KeyRead.from("notes", "a", other), 10);
                assertThat(history.snapshot()).isNull();
                assertThat(versions(history.events())).containsExactly(1L, 2L, 3L);
            }
            assertThat(only(KeyRead.after("notes", "a", 1), 10).snapshot()).isNull();
            assertThat(versions(only(KeyRead.after("notes", "a", 1), 10).events()))
                    .containsExactly(2L, 3L);
        }

        @Test
        void haveAtMostTheLimitForEachKey() {
            LongStream.rangeClosed(1, 5).forEach(version -> {
                writer().append("notes", "a", version);
                writer().append("notes", "b", version);
            });

            List<KeyHistory> histories =
                    log().readKeys(List.of(KeyRead.after("notes", "a", 0), KeyRead.after("notes", "b", 3)), 2);

            assertThat(histories)
                    .extracting(history -> versions(history.events()))
                    .containsExactlyInAnyOrder(List.of(1L, 2L), List.of(4L, 5L));
        }

        @Test
        void areEmptyIfThereIsNothingToRead() {
            writer().append("notes", "a", 1);

            assertThat(log().readKeys(List.of(), 10)).isEmpty();
            assertThat(log().readKeys(
                                    List.of(KeyRead.after("notes", "a", 1), KeyRead.from("notes", "never", format)),
                                    10))
                    .hasSize(2)
                    .allSatisfy(history -> {
                        assertThat(history.snapshot()).isNull();
                        assertThat(history.events()).isEmpty();
                    });
        }

        @Test
        void haveSnapshotAndItsLastEventIfItIsTheNewestState() {
            writer().commit(new UnitWrites(
                    List.of(writer().draft("notes", "a", 1)),
                    List.of(),
                    List.of(new Snapshot("notes", "a", 1, null, codec.encode(new Noted("state")))),
                    Optional.empty()));

            KeyHistory history = only(KeyRead.from("notes", "a", format), 10);

            assertThat(history.snapshot()).isNotNull();
            assertThat(versions(history.events())).containsExactly(1L);
        }

        private KeyHistory only(KeyRead read, int limit) {
            List<KeyHistory> histories = log().readKeys(List.of(read), limit);
            assertThat(histories).hasSize(1);
            return histories.get(0);
        }

        /** Appends three events and a snapshot of the first two. */
        private void appendThree(String key) {
            writer().append("notes", key, 1);
            writer().commit(new UnitWrites(
                    List.of(writer().draft("notes", key, 2)),
                    List.of(),
                    List.of(new Snapshot("notes", key, 2, null, codec.encode(new Noted("state of " + key)))),
                    Optional.empty()));
            writer().append("notes", key, 3);
        }
    }
}

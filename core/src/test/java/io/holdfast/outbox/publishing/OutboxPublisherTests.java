package io.holdfast.outbox.publishing;

import static io.holdfast.commit.CommitPoint.TOKEN_CLAIM;
import static io.holdfast.commit.CommitPoint.TOKEN_INITIALIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.failover.witness.LogWitness;
import io.holdfast.failover.witness.TailRecovery;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.outbox.OutboxStatus;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.AppendSignals;
import io.holdfast.worker.SegmentLease;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxPublisherTests {

    private static final AggregateType<Word> WORDS = AggregateType.of("words", Word.class, new Word(""))
            .on(Word.class, (last, word) -> word)
            .build();

    /** The longest backoff after the first failure, with jitter. */
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(120);

    private final ManualClock clock = new ManualClock();
    private final PayloadCodec codec = new PayloadCodec();
    /** The number of writes to the store, by commit point. */
    private final Map<CommitPoint, Integer> writes = new EnumMap<>(CommitPoint.class);

    private final InMemoryStore store = new InMemoryStore("test", clock, new Counting());
    private final InMemoryWire wire = new InMemoryWire();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final GroupCommitter committer = new GroupCommitter(
            CommitterSettings.of("test"),
            store.commitStore(),
            store.eventLog(),
            new AggregateStates(store.eventLog(), codec),
            store.viewStore(),
            codec,
            clock);

    @Test
    void publishesInPositionOrderAcrossBatches() {
        for (int i = 1; i <= 25; i++) {
            append("word " + i);
        }

        runUntilStored(publisher("one"));

        assertThat(published())
                .extracting(EventMessage::position)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
        assertThat(publisher("one").pending()).isZero();
    }

    @Test
    void assignsPositionsToOutboxEntries() {
        store.transactions().run(() -> store.outboxStore()
                .write("rows", "a", new NewEvent(codec.encode(new Word("row")), Metadata.none())));

        run(publisher("one"));

        assertThat(wire.reader("rows").poll(10)).hasSize(1);
    }

    @Test
    void queriesTheLogAfterASignalOrThePollInterval() {
        AppendSignals signals = AppendSignals.tracked();
        OutboxPublisher publisher = publisher("one", wire, OutboxSettings.DEFAULT, signals);
        run(publisher);

        append("without a signal");
        run(publisher);
        assertThat(published()).isEmpty();
        signals.appended(Set.of("words"));
        run(publisher);
        assertThat(published()).hasSize(1);

        append("signal was missed");
        clock.advance(OutboxSettings.DEFAULT_POLL_INTERVAL.minusMillis(1));
        assertThat(publisher.step()).isEqualTo(Duration.ofMillis(1));
        assertThat(published()).hasSize(1);
        clock.advance(Duration.ofMillis(1));
        run(publisher);
        assertThat(published()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void retriesAfterTheBackoffIfTheClockIsSetMeanwhile(int hours) {
        OutboxPublisher publisher = publisher("one");
        wire.disconnect();
        append("first");
        publisher.step();
        wire.reconnect();

        clock.setForward(Duration.ofHours(hours));

        assertThat(publisher.step()).isPositive().isLessThanOrEqualTo(FIRST_BACKOFF);
        assertThat(published()).as("not early").isEmpty();
        clock.advance(FIRST_BACKOFF);
        runUntilStored(publisher);
        assertThat(published()).hasSize(1);
    }

    @Test
    void retriesAtOnceOnRequestAndReportsTheOutcome() {
        OutboxPublisher publisher = publisher("one");
        wire.disconnect();
        append("first");
        publisher.step();

        CompletableFuture<OutboxStatus> whileDisconnected = publisher.retry();
        publisher.step();
        wire.reconnect();
        CompletableFuture<OutboxStatus> retry = publisher.retry();
        publisher.step();

        assertThat(whileDisconnected.join().problem()).isNotBlank();
        assertThat(retry.join().problem()).isNull();
        assertThat(published()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void pollsAndRenewsItsLeaseIfTheClockIsSetMeanwhile(int hours) {
        OutboxPublisher publisher = publisher("one", wire, OutboxSettings.DEFAULT, AppendSignals.tracked());
        run(publisher);
        append("signal was missed");

        clock.setForward(Duration.ofHours(hours));

        run(publisher);
        assertThat(published()).as("not early").isEmpty();
        clock.advance(OutboxSettings.DEFAULT_POLL_INTERVAL);
        run(publisher);
        assertThat(published()).hasSize(1);
        int renewed = writes.getOrDefault(CommitPoint.TOKEN_RENEW, 0);
        clock.advance(SegmentLease.DEFAULT_LEASE.dividedBy(3).plusMillis(1));
        run(publisher);
        assertThat(writes.getOrDefault(CommitPoint.TOKEN_RENEW, 0)).isGreaterThan(renewed);
    }

    @Test
    void continuesWithoutASignalWhileThereAreMoreEvents() {
        AppendSignals signals = AppendSignals.tracked();
        for (int i = 1; i <= 25; i++) {
            append("word " + i);
        }

        run(publisher("one", wire, OutboxSettings.DEFAULT.batch(10), signals));

        assertThat(published()).hasSize(25);
    }

    @Test
    void notifiesListenersOfAssignedPositions() {
        AppendSignals signals = AppendSignals.tracked();
        List<String> notified = new ArrayList<>();
        signals.onAppend(List.of("rows"), () -> notified.add("reader"));
        signals.onLocalAppend(() -> notified.add("others"));
        store.transactions().run(() -> store.outboxStore()
                .write("rows", "a", new NewEvent(codec.encode(new Word("row")), Metadata.none())));

        run(publisher("one", wire, OutboxSettings.DEFAULT, signals));

        assertThat(notified).containsExactly("reader", "others");
        assertThat(wire.reader("rows").poll(10)).hasSize(1);
    }

    @Test
    void waitsForTheWireHoweverLongItIsDown() {
        OutboxPublisher publisher = publisher("one");
        wire.disconnect();
        append("first");
        for (int minute = 0; minute < 5; minute++) {
            run(publisher);
            clock.advance(Duration.ofMinutes(1));
            append("word " + minute);
        }
        assertThat(publisher.pending()).isEqualTo(6);
        assertThat(publisher.step()).isLessThanOrEqualTo(Duration.ofSeconds(6));

        wire.reconnect();
        clock.advance(Duration.ofSeconds(6));
        run(publisher);

        assertThat(published()).extracting(EventMessage::position).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(publisher.pending()).isZero();
        assertThat(meters.counter("outbox.entries.failed").count()).isZero();
    }

    @Test
    void publishesOnlyOnceWithoutRetries() {
        OutboxPublisher publisher = publisher("one", wire, OutboxSettings.DEFAULT.retried(false));
        wire.disconnect();
        append("missed");
        run(publisher);
        wire.reconnect();
        append("published");

        runUntilStored(publisher);

        assertThat(published()).extracting(EventMessage::position).containsExactly(2L);
        assertThat(publisher.pending()).isZero();
        assertThat(meters.counter("outbox.entries.failed").count()).isEqualTo(1);
    }

    @Test
    void keepsItsBackoffWhenWokenWhileTheWireIsDown() {
        OutboxPublisher publisher = publisher("one");
        wire.disconnect();
        append("first");

        run(publisher);

        assertThat(publisher.step()).isBetween(Duration.ZERO, Duration.ofMillis(120));
    }

    @Test
    void backsOffWhileItsPositionCannotBeSaved() {
        append("first");
        committer.close();
        OutboxPublisher publisher = publisher("one");

        for (int i = 0; i < 10; i++) {
            publisher.step();
        }
        assertThat(published()).hasSize(1);

        clock.advance(Duration.ofSeconds(1));
        publisher.step();
        publisher.step();
        assertThat(published()).hasSize(2);
        assertThat(publisher.step()).isBetween(Duration.ofMillis(160), Duration.ofMillis(240));
    }

    @Test
    void publishesAgainWhatACrashedReplicaMayHavePublished() {
        append("first");
        OutboxPublisher crashing = publisher("one");
        crashing.step();
        assertThat(published()).hasSize(1);

        clock.advance(Duration.ofSeconds(11));
        run(publisher("two"));

        assertThat(published()).hasSize(2);
        assertThat(published()).extracting(EventMessage::position).containsOnly(1L);
    }

    @Test
    void publishesOnlyUnderTheLease() {
        run(publisher("one"));
        append("first");

        run(publisher("two"));
        assertThat(published()).isEmpty();

        clock.advance(Duration.ofSeconds(11));
        run(publisher("two"));
        assertThat(published()).hasSize(1);
    }

    @Test
    void queriesTheStoreAtMostOncePerSecondWithoutTheLease() {
        run(publisher("one"));
        OutboxPublisher waiting = publisher("two");
        writes.clear();

        for (int woken = 0; woken < 50; woken++) {
            waiting.step();
            clock.advance(Duration.ofMillis(10));
        }

        assertThat(writes).containsOnly(entry(TOKEN_INITIALIZE, 1), entry(TOKEN_CLAIM, 1));
    }

    @Test
    void continuesWhileTheCommitterQueueIsFull() {
        GroupCommitter full = new GroupCommitter(
                CommitterSettings.of("test").queue(1),
                store.commitStore(),
                store.eventLog(),
                new AggregateStates(store.eventLog(), codec),
                store.viewStore(),
                codec,
                clock);
        var waiting = full.submit(
                CommitUnit.of(Part.of(new PartId(UUID.randomUUID(), "test"), Metadata.none(), context -> {})));
        for (int i = 1; i <= 30; i++) {
            append("word " + i);
        }
        OutboxPublisher publisher =
                publisher("one", wire, OutboxSettings.DEFAULT.batch(10), AppendSignals.untracked(), full);

        for (int step = 0; step < 10; step++) {
            publisher.step();
            clock.advance(Duration.ofMillis(100));
        }
        assertThat(published())
                .as("each event once")
                .extracting(EventMessage::position)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 30).boxed().toList());
        full.commitWaiting();
        assertThat(waiting).isCompleted();
        publisher.step();
        full.commitWaiting();

        assertThat(publisher.pending()).isZero();
    }

    @Test
    void countsPendingEventsWhileTheWireIsDown() {
        OutboxPublisher publisher = publisher("one");
        wire.disconnect();
        append("first");
        append("second");
        run(publisher);
        clock.advance(Duration.ofSeconds(1));
        publisher.step();
        assertThat(meters.get("outbox.pending").gauge().value()).isEqualTo(2);

        wire.reconnect();
        clock.advance(Duration.ofSeconds(10));
        run(publisher);
        clock.advance(Duration.ofSeconds(1));
        publisher.step();

        assertThat(meters.get("outbox.pending").gauge().value()).isZero();
    }

    @Test
    void recordsItsMetrics() {
        append("first");
        store.transactions().run(() -> store.outboxStore()
                .write("rows", "a", new NewEvent(codec.encode(new Word("row")), Metadata.none())));

        run(publisher("one"));

        assertThat(meters.get("outbox.entries.written").functionCounter().count())
                .isEqualTo(2);
        assertThat(meters.counter("outbox.entries.delivered").count()).isEqualTo(2);
        assertThat(meters.get("outbox.publish.duration").timer().count()).isPositive();
    }

    @Test
    void savesItsPositionAtMostEveryHundredMilliseconds() {
        OutboxPublisher publisher = publisher("one");
        long words = 0;
        for (int round = 0; round < 10; round++) {
            append("word " + round);
            words++;
            run(publisher);
            clock.advance(Duration.ofMillis(20));
        }
        assertThat(committer.statistics().units() - words)
                .as("saves of the position in 200 ms")
                .isEqualTo(2);
        assertThat(publisher.step())
                .as("the last position is saved in this step")
                .isEqualTo(OutboxSettings.DEFAULT_POLL_INTERVAL);

        committer.commitWaiting();
        assertThat(publisher.pending()).isZero();
    }

    @Test
    void runsAgainToSaveItsPosition() {
        OutboxPublisher publisher = publisher("one");
        append("first");
        run(publisher);
        append("second");
        publisher.step();

        assertThat(publisher.step()).isEqualTo(Duration.ofMillis(100));
        assertThat(publisher.pending()).isEqualTo(1);
        runUntilStored(publisher);
        assertThat(publisher.pending()).isZero();
    }

    @Test
    void publishesAgainAfterTheSavedPositionWhenAReplicaCrashes() {
        for (int i = 1; i <= 30; i++) {
            append("word " + i);
        }
        OutboxPublisher crashing = publisher("one");
        crashing.step();
        crashing.step();
        assertThat(published()).hasSize(20);

        clock.advance(Duration.ofSeconds(11));
        run(publisher("two"));

        assertThat(published())
                .extracting(EventMessage::position)
                .as("no event is missing")
                .endsWith(LongStream.rangeClosed(1, 30).boxed().toArray(Long[]::new));
    }

    @Test
    void replacesUnpublishableEventByARecordWithoutPayload() {
        append("first");
        append("poison");
        append("third");
        OutboxPublisher publisher = publisher("one", new RejectingWire(wire, "poison"));

        for (int attempts = 0; attempts <= OutboxSettings.DEFAULT_MAX_RETRIES; attempts++) {
            assertThat(published())
                    .as("after %s attempts", attempts)
                    .extracting(Word::of)
                    .doesNotContain("third");
            run(publisher);
            clock.advance(Duration.ofSeconds(7));
        }
        run(publisher);

        List<EventMessage> last =
                published().subList(published().size() - 3, published().size());
        assertThat(last).extracting(EventMessage::position).containsExactly(1L, 2L, 3L);
        assertThat(last).extracting(event -> event.payload().isWithoutContent()).containsExactly(false, true, false);
        assertThat(meters.counter("outbox.entries.failed").count()).isEqualTo(1);
        assertThat(store.eventLog().readAll(1, 1).get(0).payload().json())
                .as("the log retains the payload")
                .contains("poison");
    }

    @Test
    void reportsItsState() {
        OutboxPublisher publisher = publisher("one");
        OutboxPublisher other = publisher("other");
        append("first");
        runUntilStored(publisher);
        run(other);
        assertThat(publisher.status().publishing()).isTrue();
        assertThat(publisher.status().position().position()).isEqualTo(1);
        assertThat(publisher.status().oldest()).isNull();
        assertThat(publisher.status().problem()).isNull();
        assertThat(other.status().publishing()).isFalse();
        assertThat(other.status().position()).isNull();

        wire.disconnect();
        append("second");
        clock.advance(Duration.ofSeconds(1));
        publisher.step();
        clock.advance(Duration.ofSeconds(1));
        publisher.step();
        assertThat(publisher.status().pending()).isEqualTo(1);
        assertThat(publisher.status().problem()).isNotBlank();
        assertThat(publisher.status().oldest())
                .isEqualTo(store.eventLog().readAll(1, 1).get(0).occurredAt());

        wire.reconnect();
        clock.advance(Duration.ofSeconds(10));
        runUntilStored(publisher);
        assertThat(publisher.status().oldest()).isNull();
        assertThat(publisher.status().problem()).isNull();
    }

    @Test
    void countsEventsThatItHasGivenUpEvenIfMetricsAreNotRecorded() {
        OutboxPublisher publisher = publisher("one", wire, OutboxSettings.DEFAULT.retried(false));
        wire.disconnect();
        append("lost");

        run(publisher);

        assertThat(publisher.status().failed()).isEqualTo(1);
    }

    private void runUntilStored(OutboxPublisher publisher) {
        run(publisher);
        clock.advance(Duration.ofMillis(100));
        run(publisher);
    }

    private void run(OutboxPublisher publisher) {
        for (int i = 0; i < 10; i++) {
            publisher.step();
            committer.commitWaiting();
        }
    }

    private OutboxPublisher publisher(String owner) {
        return publisher(owner, wire);
    }

    private OutboxPublisher publisher(String owner, Wire to) {
        return publisher(owner, to, OutboxSettings.DEFAULT.batch(10));
    }

    private OutboxPublisher publisher(String owner, Wire to, OutboxSettings settings) {
        return publisher(owner, to, settings, AppendSignals.untracked());
    }

    private OutboxPublisher publisher(String owner, Wire to, OutboxSettings settings, AppendSignals signals) {
        return publisher(owner, to, settings, signals, committer);
    }

    private OutboxPublisher publisher(
            String owner, Wire to, OutboxSettings settings, AppendSignals signals, GroupCommitter target) {
        return new OutboxPublisher(
                store.eventLog(),
                signals,
                store.outboxStore(),
                to,
                store.tokenStore(),
                target,
                owner,
                clock,
                settings,
                new OutboxMetrics(meters, () -> committer.statistics().events()),
                new TailRecovery("test", store.commitStore(), new LogWitness()));
    }

    private List<EventMessage> published() {
        return wire.reader("words").poll(100);
    }

    private void append(String text) {
        var outcome = committer.submit(CommitUnit.of(Part.of(
                new PartId(UUID.randomUUID(), "test"),
                Metadata.none(),
                context -> context.append(WORDS, "a", new Word(text)))));
        committer.commitWaiting();
        outcome.join();
    }

    private final class Counting implements CommitPoint.Observer {

        @Override
        public void before(CommitPoint point) {}

        @Override
        public void after(CommitPoint point) {
            writes.merge(point, 1, Integer::sum);
        }
    }

    record Word(String text) {

        static String of(EventMessage event) {
            return event.payload().json().replaceAll(".*:\"|\".*", "");
        }
    }
}

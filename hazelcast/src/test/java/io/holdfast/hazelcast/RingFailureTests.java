package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.tck.harness.StreamReader;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.RecordSigning;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireUnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Damages ringbuffers in every way. In each case the consumer receives every event of the log, once and in order. */
class RingFailureTests {

    private static final Duration BOUND = Duration.ofSeconds(15);
    private static final String STREAM = "orders";
    private static final RecordSigning.Key KEY =
            new RecordSigning.Key("k1", "0123456789abcdef".getBytes(StandardCharsets.UTF_8));

    private final TestMember member = new TestMember();
    private final InMemoryStore store = new InMemoryStore("shop", Clock.systemUTC());
    private final List<HazelcastWire> wires = new ArrayList<>();
    private final List<EventMessage> received = new ArrayList<>();
    private HazelcastWire source = open(builder -> builder);
    private HazelcastWire consumer = open(builder -> builder);
    private StreamReader reader = StreamReader.over(consumer, "payment/p");
    private StreamPosition reached = StreamPosition.beginning(store.eventLog().identity());
    private long version;

    RingFailureTests() {
        serve();
    }

    private HazelcastWire open(UnaryOperator<HazelcastWireBuilder> settings) {
        HazelcastWire wire = settings.apply(member.client().ringCapacity(100)).open();
        wires.add(wire);
        await().atMost(BOUND).pollInterval(Duration.ofMillis(5)).until(wire::isUp);
        return wire;
    }

    private void serve() {
        source.serve(List.of(STREAM), StreamReader.serverOf(store));
        await().atMost(BOUND)
                .until(() -> reader.start(STREAM, StartAt.BEGINNING).isPresent());
    }

    @AfterEach
    void close() {
        wires.forEach(HazelcastWire::close);
        member.close();
    }

    private List<EventMessage> commit(int count) {
        List<EventMessage> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventDraft draft = new EventDraft(
                    EventIds.random(Instant.now()),
                    "shop",
                    new AggregateKey(STREAM, "o-1"),
                    ++version,
                    Instant.now(),
                    Metadata.none().withCorrelationId("c"),
                    new Payload("Noted", 1, "{\"number\":" + version + "}"));
            try (CommitSession session = store.commitStore().open()) {
                session.lockHead();
                session.write(List.of(new UnitWrites(List.of(draft), List.of(), List.of(), Optional.empty())));
                events.addAll(session.commit());
            }
        }
        return events;
    }

    private void publish(int count) {
        source.publish(commit(count));
    }

    private void announce() {
        source.announce(new Announcement(
                "shop",
                "shop-1",
                List.of(),
                List.of(STREAM),
                List.of(),
                store.eventLog().heads()));
    }

    private void read(int limit) {
        List<EventMessage> next = reader.read(STREAM, reached, limit);
        received.addAll(next);
        if (!next.isEmpty()) {
            reached = next.get(next.size() - 1).streamPosition();
        }
    }

    private void consume(int count) {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> {
            read(Math.max(1, count - received.size()));
            return received.size() >= count;
        });
    }

    private void assertAllOnceInOrder() {
        List<EventMessage> log = store.eventLog().readStream(STREAM, 0, 10_000);
        consume(log.size());
        read(10); // nothing more
        assertThat(received).isEqualTo(log);
    }

    @Test
    void survivesRingThatRegrewPastItsOldTail() {
        publish(20);
        consume(20);

        member.replace(STREAM, List.of());
        publish(40);
        announce();

        assertAllOnceInOrder();
    }

    @Test
    void survivesLostTailFollowedBySilence() {
        AtomicInteger arrived = new AtomicInteger();
        consumer.onArrival(List.of(STREAM), arrived::incrementAndGet);
        publish(10);
        // The reader does not read on while its buffer is not empty.
        await().atMost(BOUND).until(() -> arrived.get() > 0);
        publish(10);
        member.loseTail(STREAM, 10);

        announce();

        assertAllOnceInOrder();
        assertThat(member.records(STREAM)).hasSize(10);
    }

    @Test
    void survivesPromotedBackupThatLacksTheTail() {
        publish(30);
        consume(30);

        member.loseTail(STREAM, 10);
        publish(5);
        announce();
        assertAllOnceInOrder();

        publish(20);
        announce();
        assertAllOnceInOrder();
    }

    @Test
    void survivesOverwrittenRecords() {
        publish(10);
        consume(5);

        for (int batch = 0; batch < 5; batch++) {
            publish(60);
        }
        announce();

        assertAllOnceInOrder();
    }

    @Test
    void skipsDuplicateRecords() {
        List<EventMessage> events = commit(10);
        source.publish(events.subList(0, 6));
        source.publish(events.subList(3, 8));
        source.publish(events.subList(2, 3));
        source.publish(events.subList(8, 10));

        assertAllOnceInOrder();
    }

    @Test
    void survivesRestartedMember() {
        publish(12);
        consume(7);

        member.stop();
        await().atMost(BOUND).until(() -> !source.isUp() && !consumer.isUp());
        member.restart();
        await().atMost(BOUND).until(() -> source.isUp() && consumer.isUp());
        publish(3);
        announce();

        assertAllOnceInOrder();
    }

    @Test
    void rejectsForgedRecord() {
        sign();
        serve();
        publish(5);
        consume(5);
        long rejected = consumer.rejectedRecords();

        List<EventMessage> next = commit(2);
        GenericRecord forged = new EventRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry()))
                .write(alter(next.get(0)));
        member.ring(STREAM).add(forged);
        source.publish(next.subList(1, 2));
        announce();

        assertAllOnceInOrder();
        assertThat(consumer.rejectedRecords()).isGreaterThan(rejected);
    }

    @Test
    void rejectsForgedPage() {
        sign();
        List<EventMessage> events = commit(3);
        StreamHead head = store.eventLog().heads().get(0);
        StreamPage forged =
                new StreamPage(head, List.of(new Epoch(1, 0)), List.of(events.get(0), alter(events.get(1))));
        Wire.Registration forging = open(builder -> builder).serve(List.of(STREAM), pages(forged));
        announce();
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> {
            read(10);
            return consumer.rejectedRecords() > 0;
        });

        assertThat(consumer.request(new PageRequest(STREAM, 0, 10)))
                .failsWithin(BOUND)
                .withThrowableThat()
                .withCauseInstanceOf(WireUnavailableException.class)
                .withMessageContaining("a page of stream orders contains a rejected record; the request is repeated");
        forging.close();
        serve();

        assertAllOnceInOrder();
    }

    @Test
    void warnsThatTheClusterHasAnotherCapacity() throws Exception {
        publish(1);

        try (CapturedLog log = new CapturedLog()) {
            source = open(builder -> builder.ringCapacity(30));
            publish(1);

            assertThat(log.text())
                    .contains("WARN", "rejects the settings of ringbuffers holdfast.stream.* (capacity 30, ")
                    .contains("and uses its own")
                    .contains("Ringbuffer holdfast.stream.orders has a capacity of 100 records instead of 30");
        }
        assertAllOnceInOrder();
    }

    private void sign() {
        source = open(builder -> builder.signing(RecordSigning.required(KEY)));
        consumer = open(builder -> builder.signing(RecordSigning.required(KEY)));
        reader = StreamReader.over(consumer, "payment/signed");
        wires.get(0).close(); // it would reply with unsigned pages
    }

    private static StreamServer pages(StreamPage page) {
        return new StreamServer() {
            @Override
            public StreamPage page(PageRequest request) {
                return page;
            }

            @Override
            public StreamPosition register(GroupRegistration registration) {
                throw new IllegalStateException("unexpected call");
            }

            @Override
            public void report(GroupReport report) {}
        };
    }

    private static EventMessage alter(EventMessage event) {
        return new EventMessage(
                event.id(),
                event.source(),
                event.stream(),
                event.key(),
                event.version(),
                event.occurredAt(),
                event.metadata(),
                new Payload(
                        "Noted", 1, "{\"forged\":" + ThreadLocalRandom.current().nextInt() + "}"),
                event.logPosition());
    }
}

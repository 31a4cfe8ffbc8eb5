package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.topic.ITopic;
import com.hazelcast.topic.LocalTopicStats;
import io.holdfast.event.EventMessage;
import io.holdfast.wire.RecordSigning;
import io.holdfast.wire.UnpublishableEventException;
import io.holdfast.wire.WireReader;
import io.holdfast.wire.WireUnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Publishes batches, and checks which events arrive in which stream. */
class PublishingTests {

    private static final Duration BOUND = Duration.ofSeconds(15);

    private final TestMember member = new TestMember();
    private final List<HazelcastWire> wires = new ArrayList<>();
    private final HazelcastWire wire = open(builder -> builder);
    private final TestEvents events = new TestEvents();

    @AfterEach
    void close() {
        wires.forEach(HazelcastWire::close);
        member.close();
    }

    private HazelcastWire open(UnaryOperator<HazelcastWireBuilder> settings) {
        HazelcastWireBuilder builder = member.client().ringCapacity(5_000).timeout(BOUND);
        HazelcastWire opened = settings.apply(builder).open();
        wires.add(opened);
        await().atMost(BOUND).pollInterval(Duration.ofMillis(5)).until(opened::isUp);
        return opened;
    }

    private HazelcastWire openMirroring() {
        return open(builder -> builder.mirrorToTopics(true));
    }

    private static List<EventMessage> poll(WireReader reader, int count) {
        List<EventMessage> received = new ArrayList<>();
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> {
            received.addAll(reader.poll(1_000));
            return received.size() >= count;
        });
        return received;
    }

    private static List<EventMessage> inStream(String stream, List<EventMessage> all) {
        return all.stream().filter(event -> event.stream().equals(stream)).toList();
    }

    @Test
    void keepsTheOrderOfEachOfSeveralLongStreams() {
        List<EventMessage> published = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            published.add(events.next("notes"));
            if (i % 2 == 0) {
                published.add(events.next("lists"));
            }
            if (i % 1_000 == 0) {
                published.add(events.next("marks"));
            }
        }

        wire.publish(published);

        for (String stream : List.of("marks", "lists", "notes")) {
            List<EventMessage> expected = inStream(stream, published);
            assertThat(poll(wire.reader(stream), expected.size())).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"half \ud83d, {}", "k, {\"text\":\"\udc4d\"}"})
    void publishesEventsBeforeAnUnpublishableOne(String key, String json) {
        List<EventMessage> before = events.next("notes", 1_200);
        EventMessage broken = events.next("notes", key, json);
        List<EventMessage> all = new ArrayList<>(before);
        all.add(broken);
        all.add(events.next("notes"));

        assertThatExceptionOfType(UnpublishableEventException.class)
                .isThrownBy(() -> wire.publish(all))
                .withMessageContaining("half of a surrogate pair")
                .satisfies(e -> assertThat(e.event()).isEqualTo(broken.id()));

        assertThat(poll(wire.reader("notes"), before.size())).isEqualTo(before);
        assertThat(member.ring("notes").size()).isEqualTo(before.size());
    }

    /** The publisher has repeated the batch by then; a late add would follow the repetition. */
    @Test
    void addsNothingOfAnAbandonedBatch() throws Exception {
        Link busy = new Link(member.instance(), false, new RingSettings(5_000, 0), Duration.ofMillis(200));
        busy.start();
        RingPublisher publisher = new RingPublisher(
                busy, new EventRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry())), false);
        CompletableFuture<Void> free = new CompletableFuture<>();
        onEveryThread(busy, free::join);
        assertThatExceptionOfType(WireUnavailableException.class)
                .isThrownBy(() -> publisher.publish(events.next("notes", 3)))
                .withMessage("cannot publish 3 events: no response within PT0.2S");

        free.complete(null);
        CountDownLatch idle = new CountDownLatch(Link.THREADS);
        onEveryThread(busy, () -> awaitAll(idle));

        assertThat(idle.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(member.ring("notes").size()).isZero();
        busy.close();
    }

    private static void onEveryThread(Link link, Runnable work) {
        for (int i = 0; i < Link.THREADS; i++) {
            link.run(work);
        }
    }

    /** Blocks until every thread runs this, so no thread runs it twice. */
    private static void awaitAll(CountDownLatch others) {
        others.countDown();
        try {
            others.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void mirrorsEachPublishedEvent() {
        HazelcastWire mirroring = openMirroring();
        Queue<String> mirrored = new ConcurrentLinkedQueue<>();
        ITopic<GenericRecord> topic = member.instance().getTopic("Noted");
        topic.addMessageListener(
                message -> mirrored.add(message.getMessageObject().getString("id")));
        List<EventMessage> published = events.next("notes", 1_100);
        EventMessage broken = events.next("notes", "half \ud83d", "{}");
        EventMessage last = events.next("lists");

        mirroring.publish(published);
        assertThatExceptionOfType(UnpublishableEventException.class)
                .isThrownBy(() -> mirroring.publish(List.of(broken)));
        mirroring.publish(List.of(last));

        await().atMost(BOUND).until(() -> mirrored.size() > published.size());
        assertThat(mirrored)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(published.stream(), Stream.of(last))
                        .map(event -> event.id().toString())
                        .toList());
    }

    @Test
    void neverReadsTheMirror() {
        HazelcastWire mirroring = openMirroring();
        WireReader reader = mirroring.reader("notes");
        List<EventMessage> published = events.next("notes", 3);
        ITopic<GenericRecord> topic = member.instance().getTopic("Noted");

        mirroring.publish(published);

        assertThat(poll(reader, 3)).isEqualTo(published);
        LocalTopicStats stats = topic.getLocalTopicStats();
        await().atMost(BOUND).until(() -> stats.getPublishOperationCount() == 3);
        assertThat(stats.getReceiveOperationCount()).isZero();
    }
}

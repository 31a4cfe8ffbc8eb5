package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.RingbufferConfig;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.topic.ITopic;
import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.RecordSigning;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.UnpublishableEventException;
import io.holdfast.wire.WireReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behavior of this wire beyond the contract kit. */
class HazelcastWireBehaviorTests {

    private static final Duration BOUND = Duration.ofSeconds(15);

    private final TestMember member = new TestMember(
            config -> config.addRingBufferConfig(new RingbufferConfig("holdfast.stream.*").setCapacity(50)));
    private final HazelcastWire wire =
            member.client().timeout(Duration.ofSeconds(1)).open();
    private final TestEvents events = new TestEvents();

    HazelcastWireBehaviorTests() {
        await().atMost(BOUND).until(wire::isUp);
    }

    @AfterEach
    void close() {
        wire.close();
        member.close();
    }

    private static List<EventMessage> poll(WireReader reader, int count) {
        List<EventMessage> received = new ArrayList<>();
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> {
            received.addAll(reader.poll(100));
            return received.size() >= count;
        });
        return received;
    }

    @Test
    void usesTheConfigurationOfTheCluster() {
        List<EventMessage> published = events.next("notes", 70);

        wire.publish(published);

        assertThat(poll(wire.reader("notes"), 50)).isEqualTo(published.subList(20, 70));
    }

    /**
     * The new ring is shorter by many, by one, or as long as what was read. From a longer one the pending read may
     * silently receive records; the consumer then detects the gap by their positions and pulls the missing events.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 18, 19, 20})
    void readsAllOfAReplacedRingThatIsNotLonger(int length) {
        WireReader reader = wire.reader("notes");
        wire.publish(events.next("notes", 20));
        poll(reader, 20);
        List<EventMessage> newer = events.next("notes", length);

        EventRecords records = new EventRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry()));
        member.replace("notes", newer.stream().map(records::write).toList());

        assertThat(poll(reader, length)).isEqualTo(newer);
    }

    @Test
    void warnsThatTheClusterUsesItsOwnCapacity() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            wire.publish(events.next("notes", 1));
            wire.publish(events.next("notes", 1));

            assertThat(log.text())
                    .containsOnlyOnce("Ringbuffer holdfast.stream.notes has a capacity of 50 records instead of 10000:"
                            + " it uses the cluster's own configuration or an older one");
        }
    }

    @Test
    void keepsNanosecondsOfTimes() {
        EventMessage event = events.next("notes");

        wire.publish(List.of(event));

        assertThat(poll(wire.reader("notes"), 1)).containsExactly(event);
    }

    @Test
    void namesTheUnpublishableEventAndPublishesThoseBeforeIt() {
        EventMessage first = events.next("notes");
        EventMessage broken = events.next("notes", "half \ud83d", "{}");
        EventMessage later = events.next("notes");
        EventMessage other = events.next("lists");

        assertThatExceptionOfType(UnpublishableEventException.class)
                .isThrownBy(() -> wire.publish(List.of(first, broken, later, other)))
                .withMessageContaining("event " + broken.id() + " at position 2 of stream notes")
                .satisfies(e -> assertThat(e.event()).isEqualTo(broken.id()));

        assertThat(poll(wire.reader("lists"), 1)).containsExactly(other);
        assertThat(member.records("notes")).hasSize(1);
    }

    @Test
    void sendsUnpublishableEventOfAPageWithoutItsContent() {
        EventRecords records = new EventRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry()));
        EventMessage first = events.next("notes");
        EventMessage broken = events.next("notes", "k", "{\"half\":\"\ud83d\"}");
        StreamHead head = new StreamHead("notes", broken.logPosition().log(), broken.position(), broken.id());

        GenericRecord written = MessageRecords.write(new StreamPage(head, List.of(), List.of(first, broken)), records);

        assertThat(MessageRecords.page(written, records).events()).containsExactly(first, broken.withoutContent());
    }

    @Test
    void dropsRepliesWithoutARequest() {
        AtomicInteger requestCount = new AtomicInteger();
        ITopic<GenericRecord> requests = member.instance().getTopic(Request.topic("notes"));
        requests.addMessageListener(message -> {
            Request request = Request.read(message.getMessageObject());
            GenericRecord start = MessageRecords.write(events.next("notes").streamPosition());
            ITopic<GenericRecord> replies = member.instance().getTopic(String.valueOf(request.replyTo()));
            requestCount.incrementAndGet();
            replies.publish(new Reply("another", null, null, start).write());
        });

        CompletableFuture<StreamPosition> response = wire.register(new GroupRegistration("g", "notes", StartAt.NOW));

        assertThat(response)
                .failsWithin(BOUND)
                .withThrowableThat()
                .withMessageContaining("no replica of the source of stream notes responded within PT1S");
        assertThat(requestCount).hasPositiveValue();
    }

    @Test
    void usesTheReplyOfOneReplicaWhenAnotherFails() {
        HazelcastWire failing = HazelcastWire.over(member.instance()).open();
        HazelcastWire answering = HazelcastWire.over(member.instance()).open();
        CompletableFuture<Void> failed = new CompletableFuture<>();
        member.instance().getDistributedObjects().stream()
                .filter(object -> object.getName().startsWith("holdfast.replies."))
                .forEach(replies -> onError(replies.getName(), failed));
        EventMessage event = events.next("notes");
        StreamPage page = new StreamPage(
                new StreamHead("notes", event.logPosition().log(), 1, event.id()), List.of(), List.of(event));
        failing.serve(List.of("notes"), pages(request -> {
            throw new IllegalStateException("the log is unavailable");
        }));
        answering.serve(List.of("notes"), pages(request -> {
            failed.join(); // replies only after the other replica has failed
            return page;
        }));
        failing.announce(new Announcement("shop", "shop-1", List.of(), List.of("notes"), List.of(), List.of()));
        answering.announce(new Announcement("shop", "shop-2", List.of(), List.of("notes"), List.of(), List.of()));
        await().atMost(BOUND).until(() -> wire.directory().size() == 2);

        CompletableFuture<StreamPage> response = wire.request(new PageRequest("notes", 0, 10));

        assertThat(response).succeedsWithin(BOUND).isEqualTo(page);
        failing.close();
        answering.close();
    }

    private void onError(String topic, CompletableFuture<Void> failed) {
        ITopic<GenericRecord> replies = member.instance().getTopic(topic);
        replies.addMessageListener(message -> {
            if (Reply.read(message.getMessageObject()).error() != null) {
                failed.complete(null);
            }
        });
    }

    private static StreamServer pages(Function<PageRequest, StreamPage> pages) {
        return new StreamServer() {
            @Override
            public StreamPage page(PageRequest request) {
                return pages.apply(request);
            }

            @Override
            public StreamPosition register(GroupRegistration registration) {
                throw new IllegalStateException("unexpected call");
            }

            @Override
            public void report(GroupReport report) {}
        };
    }

    @Test
    void servesRequestsOnItsOwnThreadsAndDropsThoseThatDoNotFit() throws Exception {
        CompletableFuture<Void> free = new CompletableFuture<>();
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        StreamPage page = new StreamPage(
                new StreamHead("notes", events.next("notes").logPosition().log(), 0, null), List.of(), List.of());
        wire.serve(List.of("notes"), pages(request -> {
            threads.add(Thread.currentThread().getName());
            free.join();
            return page;
        }));
        for (int i = 0; i < RequestServer.QUEUE_CAPACITY * 2; i++) {
            var unused = wire.request(new PageRequest("notes", 0, 1));
        }
        await().atMost(BOUND).until(() -> threads.size() == RequestServer.THREADS);

        // All threads are busy and the queue is full; the wire still works.
        wire.announce(new Announcement("shop", "shop-1", List.of(), List.of(), List.of(), List.of()));
        await().atMost(BOUND).until(() -> wire.directory().size() == 1);

        free.complete(null);
        await().atMost(BOUND).ignoreExceptions().until(() -> wire.request(new PageRequest("notes", 0, 1))
                .get(1, TimeUnit.SECONDS)
                .equals(page));
        assertThat(threads).containsOnly("holdfast-stream-server").hasSizeLessThan(RequestServer.QUEUE_CAPACITY * 2);
    }

    @Test
    void coalescesWakesWhileOneIsInFlight() {
        AtomicInteger woken = new AtomicInteger();
        ITopic<GenericRecord> topic = member.instance().getTopic("holdfast.wake.shop");
        topic.addMessageListener(message -> woken.incrementAndGet());

        for (int i = 0; i < 20_000; i++) {
            wire.wake("shop");
        }

        // Sent after all the wakes.
        wire.announce(new Announcement("shop", "shop-1", List.of(), List.of(), List.of(), List.of()));
        await().atMost(BOUND).until(() -> woken.get() > 1 && wire.directory().size() == 1);
        assertThat(woken).hasValueLessThan(2_000);
    }

    @Test
    void ignoresItsOwnWakes() {
        AtomicInteger own = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        wire.onWake("shop", own::incrementAndGet);
        try (HazelcastWire other = HazelcastWire.over(member.instance()).open()) {
            other.onWake("shop", others::incrementAndGet);

            await().atMost(BOUND).until(() -> {
                wire.wake("shop");
                return others.get() >= 3;
            });
            assertThat(own).hasValue(0);
            await().atMost(BOUND).until(() -> {
                other.wake("shop");
                return own.get() > 0;
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "10, -1, 1", "10, 7, 1", "10, 1, 0"})
    void rejectsInvalidSettings(int capacity, int backups, long seconds) {
        HazelcastWireBuilder invalid =
                member.client().ringCapacity(capacity).backups(backups).timeout(Duration.ofSeconds(seconds));

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(invalid::open)
                .withMessage(
                        "the wire needs a ring capacity of 1 or more, backups from 0 to 6 and a timeout above 0,"
                                + " but has %s, %s and PT%sS",
                        capacity, backups, seconds);
    }

    @Test
    void logsOnceWhyItIsDownUnlessItIsAnOutage() throws Exception {
        Link link = new Link(member.instance(), false, new RingSettings(50, 0), Duration.ofSeconds(1));
        AtomicInteger attempts = new AtomicInteger();
        link.addPreparation(() -> {
            attempts.incrementAndGet();
            throw new IllegalStateException("may not listen");
        });
        try (CapturedLog log = new CapturedLog()) {
            link.start();
            await().atMost(BOUND).until(() -> attempts.get() >= 3);

            assertThat(log.text()).containsOnlyOnce("may not listen");
        }
        assertThat(link.isUp()).isFalse();
        link.close();
    }

    /** From a later version, or from an unrelated client. */
    @Test
    void ignoresMessagesThatItCannotDecode() {
        Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
        try {
            StreamPage page = new StreamPage(
                    new StreamHead("notes", events.next("notes").logPosition().log(), 0, null), List.of(), List.of());
            wire.serve(List.of("notes"), pages(request -> page));
            GenericRecord strange = GenericRecordBuilder.compact("strange")
                    .setString("kind", "Later")
                    .build();
            ITopic<GenericRecord> requests = member.instance().getTopic(Request.topic("notes"));
            requests.publish(strange);
            member.instance().getDistributedObjects().stream()
                    .filter(object -> object.getName().startsWith("holdfast.replies."))
                    .forEach(replies -> member.instance()
                            .<GenericRecord>getTopic(replies.getName())
                            .publish(strange));

            await().dontCatchUncaughtExceptions()
                    .atMost(BOUND)
                    .ignoreExceptions()
                    .until(() -> wire.request(new PageRequest("notes", 0, 1))
                            .get(1, TimeUnit.SECONDS)
                            .equals(page));
            assertThat(uncaught).isEmpty();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void forgetsReplicasThatAreSilent() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        Link link = new Link(wire.instance(), false, new RingSettings(50, 0), Duration.ofSeconds(1));
        Announcements announcements = new Announcements(link, new Subscriptions(link), nanos::get);
        announcements.receive(new Announcement("shop", "shop-1", List.of(), List.of("a"), List.of(), List.of()));
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        announcements.receive(new Announcement("shop", "shop-2", List.of(), List.of("a"), List.of(), List.of()));
        assertThat(announcements.owners("a")).isEqualTo(2);

        nanos.addAndGet(Duration.ofSeconds(6).toNanos());

        assertThat(announcements.directory()).extracting(Announcement::replica).containsExactly("shop-2");
        link.close();
    }

    @Test
    void keepsAGivenInstanceOpenWhenClosed() {
        HazelcastWire given = HazelcastWire.over(member.instance()).open();
        EventMessage event = events.next("notes");

        given.publish(List.of(event));
        assertThat(poll(wire.reader("notes"), 1)).containsExactly(event);
        given.close();
        given.close();

        assertThat(given.isUp()).isFalse();
        assertThat(member.instance().getLifecycleService().isRunning()).isTrue();
    }
}

package io.holdfast.tck.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.WireHarness;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import io.holdfast.wire.WireUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link Wire}: it may lose records, but never alters or reorders them. */
public abstract class WireKit {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final LogIdentity LOG = new LogIdentity(EventIds.random(Instant.EPOCH), 1);

    private final PayloadCodec codec = new PayloadCodec();
    private final Map<String, EventMessage> newest = new HashMap<>();
    private long position;
    private WireHarness harness;

    /** Returns a harness around a new, empty wire. */
    protected abstract WireHarness newHarness();

    @BeforeEach
    void openWire() {
        harness = newHarness();
    }

    @AfterEach
    void closeWire() {
        harness.close();
    }

    private Wire wire() {
        return harness.wire();
    }

    private Wire replica() {
        return harness.replica();
    }

    private void require(Capability capability) {
        capability.require(harness.missingCapabilities());
    }

    private EventMessage event(String stream) {
        return event(stream, "Grüße, 世界 " + position);
    }

    private EventMessage event(String stream, String text) {
        EventMessage before = newest.get(stream);
        LogPosition logPosition = before == null
                ? new LogPosition(LOG, ++position, 0, null)
                : new LogPosition(LOG, ++position, before.position(), before.id());
        Instant now = Instant.parse("2026-01-01T00:00:00.123456Z").plusSeconds(position);
        Metadata metadata = Metadata.none()
                .withCorrelationId("kit")
                .withSaga("Order", "s-1")
                .withStepNumber(2)
                .with("own", "ü");
        EventMessage event = new EventMessage(
                EventIds.random(now),
                "kit",
                stream,
                "a",
                position,
                now,
                metadata,
                codec.encode(new Noted(text)),
                logPosition);
        newest.put(stream, event);
        return event;
    }

    private List<EventMessage> published(String stream, int count) {
        List<EventMessage> events = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            events.add(event(stream));
        }
        wire().publish(events);
        return events;
    }

    /** Polls until that many records have arrived. */
    private static List<EventMessage> polled(WireReader reader, int count) {
        List<EventMessage> events = new ArrayList<>();
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(1)).until(() -> {
            if (events.size() < count) {
                events.addAll(reader.poll(count - events.size()));
            }
            return events.size() >= count;
        });
        return events;
    }

    private StreamHead head(EventMessage event) {
        return new StreamHead(event.stream(), LOG, event.position(), event.id());
    }

    private static StreamPage result(CompletableFuture<StreamPage> future) throws Exception {
        return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private static void assertFails(CompletableFuture<StreamPage> future) {
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result(future));
    }

    private static void assertUnavailable(CompletableFuture<StreamPage> future) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> result(future))
                .withCauseInstanceOf(WireUnavailableException.class);
    }

    private StreamPage page(EventMessage... events) {
        StreamHead head = new StreamHead("notes", LOG, position, EventIds.random(Instant.EPOCH));
        return new StreamPage(head, List.of(new Epoch(1, 0), new Epoch(2, 7)), List.of(events));
    }

    /** Returns a server of pages whose groups start at the beginning. */
    private static StreamServer pages(Function<PageRequest, StreamPage> pages) {
        return new StreamServer() {
            @Override
            public StreamPage page(PageRequest request) {
                return pages.apply(request);
            }

            @Override
            public StreamPosition register(GroupRegistration registration) {
                return StreamPosition.beginning(LOG);
            }

            @Override
            public void report(GroupReport report) {}
        };
    }

    private static Announcement announcement(StreamHead... heads) {
        List<String> streams = Stream.of(heads).map(StreamHead::stream).toList();
        return new Announcement("kit", "kit-1", List.of("http://a"), streams, List.of("kit/p/c"), List.of(heads));
    }

    private void awaitHead(StreamHead head) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(replica().head(head.stream())).contains(head));
    }

    private static PageRequest anyPage(String stream) {
        return new PageRequest(stream, 0, 10);
    }

    /**
     * Publishes one record after another until the reader receives one of them, and returns all records that it
     * received.
     */
    private List<EventMessage> publishUntilReceived(String stream, WireReader reader, List<EventMessage> all) {
        int before = all.size();
        List<EventMessage> received = new ArrayList<>();
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(1)).until(() -> {
            EventMessage event = event(stream);
            all.add(event);
            wire().publish(List.of(event));
            received.addAll(reader.poll(10_000));
            return received.stream().anyMatch(all.subList(before, all.size())::contains);
        });
        return received;
    }

    /** Every record is complete, in published order, and received once. */
    private static void assertInOrder(List<EventMessage> received, List<EventMessage> published) {
        Iterator<EventMessage> expected = published.iterator();
        for (EventMessage event : received) {
            boolean found = false;
            while (!found && expected.hasNext()) {
                found = expected.next().equals(event);
            }
            assertThat(found)
                    .as("position %s is complete and in order", event.position())
                    .isTrue();
        }
    }

    @Nested
    class Records {

        @Test
        void arriveCompletelyAndInPublishedOrder() {
            WireReader reader = replica().reader("notes");
            List<EventMessage> first = published("notes", 3);
            List<EventMessage> second = published("notes", 2);

            assertThat(polled(reader, 3)).isEqualTo(first);
            assertThat(polled(reader, 2)).isEqualTo(second);
            assertThat(reader.poll(10)).isEmpty();
        }

        @Test
        void arriveCompletelyWhateverTheirSize() {
            EventMessage large = event("notes", "x".repeat(200_000));

            wire().publish(List.of(large));

            assertThat(polled(replica().reader("notes"), 1)).containsExactly(large);
        }

        @Test
        void reachEveryReaderAtItsOwnPace() {
            WireReader fast = replica().reader("notes");
            WireReader slow = wire().reader("notes");
            List<EventMessage> events = published("notes", 4);

            assertThat(polled(fast, 4)).isEqualTo(events);
            assertThat(polled(slow, 1)).isEqualTo(events.subList(0, 1));
            assertThat(polled(slow, 3)).isEqualTo(events.subList(1, 4));
        }

        @Test
        void reachNewReaderWhileRetained() {
            List<EventMessage> events = published("notes", 3);

            WireReader reader = replica().reader("notes");

            assertThat(polled(reader, 3)).isEqualTo(events);
        }

        @Test
        void arriveAsOftenAsTheyArePublished() {
            WireReader reader = replica().reader("notes");
            List<EventMessage> events = published("notes", 2);
            wire().publish(events);

            assertThat(polled(reader, 4)).containsExactly(events.get(0), events.get(1), events.get(0), events.get(1));
            assertThat(reader.poll(10)).isEmpty();
        }

        @Test
        void arriveUpToPollLimit() {
            WireReader reader = replica().reader("notes");
            List<EventMessage> events = published("notes", 5);
            List<EventMessage> received = new ArrayList<>();

            await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(1)).until(() -> {
                List<EventMessage> some = reader.poll(2);
                assertThat(some).hasSizeLessThanOrEqualTo(2);
                received.addAll(some);
                return received.size() == 5;
            });

            assertThat(received).isEqualTo(events);
        }

        @Test
        void reachOnlyReadersOfTheirStream() {
            WireReader notes = replica().reader("notes");
            WireReader lists = replica().reader("lists");
            EventMessage note = event("notes");
            EventMessage list = event("lists");
            EventMessage secondNote = event("notes");

            wire().publish(List.of(note, list, secondNote));

            assertThat(polled(notes, 2)).containsExactly(note, secondNote);
            assertThat(polled(lists, 1)).containsExactly(list);
            assertThat(lists.poll(10)).isEmpty();
        }

        @Test
        void mayBePublishedAsEmptyBatch() {
            wire().publish(List.of());

            assertThat(replica().reader("notes").poll(10)).isEmpty();
        }
    }

    @Nested
    class LosingRecords {

        @Test
        void keepsNewestInOrderBeyondCapacity() {
            WireReader away = replica().reader("notes");
            List<EventMessage> all = new ArrayList<>(published("notes", 2));
            assertThat(polled(away, 2)).isEqualTo(all);
            for (int batch = 0; batch < 4; batch++) {
                all.addAll(published("notes", harness.capacity() / 2 + 1));
            }

            List<EventMessage> received = publishUntilReceived("notes", away, all);

            assertThat(received).hasSizeLessThan(all.size() - 2);
            assertInOrder(received, all);
        }

        @Test
        void letsReaderContinueAfterEmptyRestart() {
            require(Capability.EMPTY_RESTART);
            WireReader reader = replica().reader("notes");
            List<EventMessage> all = new ArrayList<>(published("notes", 5));
            List<EventMessage> received = new ArrayList<>(polled(reader, 3));

            harness.restartEmpty();

            List<EventMessage> lost = List.copyOf(all);
            received.addAll(publishUntilReceived("notes", reader, all));
            assertInOrder(received, all);
            WireReader later = replica().reader("notes"); // the first reader may have received them before the restart
            assertThat(polled(later, 1)).doesNotContainAnyElementsOf(lost);
        }

        @Test
        void neverReordersWhenStreamGrowsPastOldTail() {
            require(Capability.EMPTY_RESTART);
            WireReader reader = replica().reader("notes");
            List<EventMessage> all = new ArrayList<>(published("notes", 5));
            List<EventMessage> received = new ArrayList<>(polled(reader, 5));
            harness.restartEmpty();
            all.addAll(published("notes", 8));

            received.addAll(publishUntilReceived("notes", reader, all));

            assertInOrder(received, all);
        }

        @Test
        void neverRepeatsOrReordersAfterLossOfReadTail() {
            require(Capability.LOST_TAIL);
            WireReader reader = replica().reader("notes");
            List<EventMessage> all = new ArrayList<>(published("notes", 10));
            List<EventMessage> received = new ArrayList<>(polled(reader, 10));
            harness.loseTail("notes", 4);
            all.addAll(published("notes", 2));

            received.addAll(publishUntilReceived("notes", reader, all));

            assertInOrder(received, all);
        }

        @Test
        void keepsRestAfterLossOfUnreadTail() {
            require(Capability.LOST_TAIL);
            WireReader reader = replica().reader("notes");
            List<EventMessage> events = published("notes", 10);

            harness.loseTail("notes", 4);

            assertThat(polled(reader, 6)).isEqualTo(events.subList(0, 6));
            WireReader later = replica().reader("notes"); // the first reader may have received the tail before its loss
            assertThat(polled(later, 6)).isEqualTo(events.subList(0, 6));
            assertThat(later.poll(10)).isEmpty();
        }

        @Test
        void doesNotAffectOtherStreams() {
            require(Capability.LOST_TAIL);
            WireReader lists = replica().reader("lists");
            published("notes", 3);
            List<EventMessage> events = published("lists", 3);

            harness.loseTail("notes", 3);

            assertThat(polled(lists, 3)).isEqualTo(events);
        }
    }

    @Nested
    class Outage {

        @BeforeEach
        void requireOutage() {
            require(Capability.OUTAGE);
        }

        @Test
        void rejectsPublishAndAnnounce() {
            List<EventMessage> events = List.of(event("notes"));
            harness.disconnect();

            assertThatExceptionOfType(WireUnavailableException.class).isThrownBy(() -> wire().publish(events));
            assertThatExceptionOfType(WireUnavailableException.class)
                    .isThrownBy(() -> wire().announce(announcement(head(events.get(0)))));
        }

        @Test
        void returnsNothingToReaders() {
            WireReader reader = replica().reader("notes");
            published("notes", 2);
            harness.disconnect();

            assertThat(reader.poll(10)).isEmpty();
            assertThatCode(() -> replica().head("notes")).doesNotThrowAnyException();
        }

        @Test
        void failsRequests() {
            wire().serve(List.of("notes"), pages(request -> page()));
            harness.disconnect();

            assertUnavailable(replica().request(anyPage("notes")));
        }

        @Test
        void endsOnReconnect() throws Exception {
            WireReader reader = replica().reader("notes");
            EventMessage served = event("notes");
            wire().serve(List.of("notes"), pages(request -> page(served)));
            List<EventMessage> all = new ArrayList<>(published("notes", 2));
            harness.disconnect();
            assertThat(reader.poll(10)).isEmpty();

            harness.reconnect();

            assertInOrder(publishUntilReceived("notes", reader, all), all);
            assertThat(result(replica().request(anyPage("notes"))).events()).containsExactly(served);
            wire().announce(announcement(head(served)));
            awaitHead(head(served));
        }

        @Test
        void acceptsReadersServersAndListenersUntilReconnect() throws Exception {
            AtomicInteger signals = new AtomicInteger();
            EventMessage served = event("notes");
            harness.disconnect();
            WireReader reader = replica().reader("notes");
            wire().serve(List.of("notes"), pages(request -> page(served)));
            replica().onArrival(List.of("notes"), signals::incrementAndGet);

            harness.reconnect();

            List<EventMessage> all = new ArrayList<>();
            assertInOrder(publishUntilReceived("notes", reader, all), all);
            assertThat(result(replica().request(anyPage("notes"))).events()).containsExactly(served);
            await().atMost(TIMEOUT).until(() -> signals.get() > 0);
        }

        @Test
        void mayEndWithEmptyWire() {
            require(Capability.EMPTY_RESTART);
            WireReader reader = replica().reader("notes");
            List<EventMessage> all = new ArrayList<>(published("notes", 4));
            List<EventMessage> received = new ArrayList<>(polled(reader, 2));
            harness.disconnect();
            harness.restartEmpty();
            harness.reconnect();

            received.addAll(publishUntilReceived("notes", reader, all));

            assertInOrder(received, all);
        }
    }

    @Nested
    class Heads {

        @Test
        void areUnknownBeforeAnnouncement() {
            published("notes", 1);

            assertThat(replica().head("notes")).isEmpty();
        }

        @Test
        void areReturnedAsAnnouncedForEachStream() {
            StreamHead notes = head(event("notes"));
            StreamHead lists = new StreamHead("lists", LOG, 0, null);

            wire().announce(announcement(notes, lists));

            awaitHead(notes);
            awaitHead(lists);
            assertThat(replica().head("marks")).isEmpty();
        }

        @Test
        void areReplacedByNewestAnnouncementEvenIfLower() {
            StreamHead higher = head(event("notes"));
            StreamHead lower = new StreamHead("notes", new LogIdentity(LOG.id(), 2), 0, null);

            wire().announce(announcement(higher));
            wire().announce(announcement(lower));

            awaitHead(lower);
        }
    }

    @Nested
    class Pages {

        @Test
        void areServedBySourceOfStream() throws Exception {
            EventMessage note = event("notes");
            List<PageRequest> requests = new ArrayList<>();
            StreamPage page = page(note);
            wire().serve(List.of("notes", "lists"), pages(request -> {
                requests.add(request);
                return page;
            }));

            StreamPage reply = result(replica().request(new PageRequest("notes", 7, 3)));

            assertThat(reply).isEqualTo(page);
            assertThat(requests).contains(new PageRequest("notes", 7, 3));
            assertThat(result(replica().request(anyPage("lists")))).isEqualTo(page);
        }

        @Test
        void mayBeEmpty() throws Exception {
            StreamPage empty = new StreamPage(new StreamHead("notes", LOG, 0, null), List.of(), List.of());
            wire().serve(List.of("notes"), pages(request -> empty));

            assertThat(result(replica().request(anyPage("notes")))).isEqualTo(empty);
        }

        /** A reader may therefore ask the owner of a stream for its current head. */
        @Test
        void haveTheHeadAsOfAfterTheRequest() throws Exception {
            AtomicInteger committed = new AtomicInteger();
            wire().serve(
                            List.of("notes"),
                            pages(request -> new StreamPage(
                                    new StreamHead("notes", LOG, committed.get(), null), List.of(), List.of())));

            for (int head = 1; head <= 20; head++) {
                committed.set(head);

                StreamPage page = result(replica().request(new PageRequest("notes", Long.MAX_VALUE, 1)));

                assertThat(page.head().position()).isEqualTo(head);
            }
        }

        @Test
        void failWithoutServer() {
            assertUnavailable(replica().request(anyPage("notes")));
        }

        @Test
        void failAfterRegistrationIsClosed() {
            Wire.Registration registration = wire().serve(List.of("notes"), pages(request -> page()));
            registration.close();
            registration.close();

            assertUnavailable(replica().request(anyPage("notes")));
        }

        @Test
        void areServedByOneOfSeveralRegistrations() throws Exception {
            EventMessage one = event("notes");
            EventMessage other = event("notes");
            wire().serve(List.of("notes"), pages(request -> page(one)));

            replica().serve(List.of("notes"), pages(request -> page(other)));

            assertThat(result(replica().request(anyPage("notes"))).events())
                    .containsAnyOf(one, other)
                    .hasSize(1);
        }

        @Test
        void areServedAfterOlderRegistrationIsClosed() throws Exception {
            EventMessage note = event("notes");
            StreamServer source = pages(request -> page(note));
            Wire.Registration older = wire().serve(List.of("notes"), source);
            wire().serve(List.of("notes"), source);

            older.close();

            assertThat(result(replica().request(anyPage("notes"))).events()).containsExactly(note);
        }

        @Test
        void areServedByOlderRegistrationAfterLaterIsClosed() throws Exception {
            EventMessage note = event("notes");
            Wire.Registration older = wire().serve(List.of("notes"), pages(request -> page(note)));
            Wire.Registration later = wire().serve(List.of("notes"), pages(request -> page()));

            later.close();
            assertThat(result(replica().request(anyPage("notes"))).events()).containsExactly(note);

            older.close();
            assertUnavailable(replica().request(anyPage("notes")));
        }

        @Test
        void failWhenServerThrowsAndSucceedOnceItRecovers() throws Exception {
            EventMessage note = event("notes");
            AtomicInteger calls = new AtomicInteger();
            wire().serve(List.of("notes"), pages(request -> {
                if (calls.getAndIncrement() == 0) {
                    throw new IllegalStateException("the log is unavailable");
                }
                return page(note);
            }));

            assertFails(replica().request(anyPage("notes")));

            assertThat(result(replica().request(anyPage("notes"))).events()).containsExactly(note);
        }
    }

    @Nested
    class Groups {

        private final BlockingQueue<GroupReport> reports = new LinkedBlockingQueue<>();
        private final StreamPosition start = new StreamPosition(LOG, 7, EventIds.random(Instant.EPOCH));

        private Wire.Registration serve(Function<GroupRegistration, StreamPosition> starts) {
            return wire().serve(List.of("notes"), new StreamServer() {
                @Override
                public StreamPage page(PageRequest request) {
                    return WireKit.this.page();
                }

                @Override
                public StreamPosition register(GroupRegistration registration) {
                    return starts.apply(registration);
                }

                @Override
                public void report(GroupReport report) {
                    reports.add(report);
                }
            });
        }

        private StreamPosition registered(StartAt startAt) throws Exception {
            return replica()
                    .register(new GroupRegistration("shop/p", "notes", startAt))
                    .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }

        @Test
        void areRegisteredAtSourceOfStream() throws Exception {
            Queue<GroupRegistration> requests = new ConcurrentLinkedQueue<>();
            serve(registration -> {
                requests.add(registration);
                return start;
            });
            StartAt time = StartAt.at(Instant.parse("2026-01-01T00:00:00.123456Z"));

            assertThat(registered(StartAt.BEGINNING)).isEqualTo(start);
            assertThat(registered(StartAt.NOW)).isEqualTo(start);
            assertThat(registered(time)).isEqualTo(start);

            assertThat(requests)
                    .contains(
                            new GroupRegistration("shop/p", "notes", StartAt.BEGINNING),
                            new GroupRegistration("shop/p", "notes", StartAt.NOW),
                            new GroupRegistration("shop/p", "notes", time));
        }

        @Test
        void mayStartBeforeFirstEvent() throws Exception {
            serve(registration -> StreamPosition.beginning(LOG));

            assertThat(registered(StartAt.BEGINNING)).isEqualTo(StreamPosition.beginning(LOG));
        }

        @Test
        void areNotRegisteredWithoutServer() {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> registered(StartAt.NOW))
                    .withCauseInstanceOf(WireUnavailableException.class);
        }

        @Test
        void reportToSourceOfStream() throws Exception {
            serve(registration -> start);
            StreamPosition reached = new StreamPosition(LOG, 9, EventIds.random(Instant.EPOCH));
            GroupReport report = new GroupReport("shop/p", "notes", start, reached);

            replica().report(report);

            assertThat(reports.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(report);
        }

        @Test
        void reportWithoutStart() throws Exception {
            serve(registration -> start);
            GroupReport report = new GroupReport("shop/p", "notes", null, start);

            replica().report(report);

            assertThat(reports.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(report);
        }

        @Test
        void mayReportWithoutServer() {
            replica().report(new GroupReport("shop/p", "notes", start, start));

            assertThat(reports).isEmpty();
        }
    }

    @Nested
    class Directory {

        @Test
        void isEmptyInitially() {
            assertThat(replica().directory()).isEmpty();
        }

        @Test
        void containsLatestAnnouncementOfEachReplica() {
            StreamHead head = head(event("notes"));
            Announcement first = announcement();
            Announcement newer = announcement(head);
            Announcement other = new Announcement("shop", "shop-1", List.of(), List.of(), List.of(), List.of());

            wire().announce(first);
            wire().announce(other);
            wire().announce(newer);

            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(replica().directory()).containsExactlyInAnyOrder(newer, other));
        }

        /** A replica that has not announced itself for a while may be dead; requests go to the others first. */
        @Test
        void startsWithTheMostRecentAnnouncement() {
            List<Announcement> announcements = Stream.of("kit-2", "kit-1", "kit-3")
                    .map(name -> new Announcement("kit", name, List.of(), List.of(), List.of(), List.of()))
                    .toList();

            announcements.forEach(wire()::announce);
            wire().announce(announcements.get(0));

            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(replica().directory())
                    .containsExactly(announcements.get(0), announcements.get(2), announcements.get(1)));
        }
    }

    @Nested
    class WakeUps {

        private final Semaphore woken = new Semaphore(0);

        private void awaitWakeUp() {
            await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(1)).until(() -> {
                wire().wake("kit");
                return woken.tryAcquire();
            });
        }

        @Test
        void reachOtherReplicasOfService() {
            Semaphore others = new Semaphore(0);
            replica().onWake("shop", others::release);
            replica().onWake("kit", woken::release);

            awaitWakeUp();

            assertThat(others.availablePermits()).isZero();
        }

        @Test
        void endWithRegistration() {
            Semaphore first = new Semaphore(0);
            Wire.Registration ended = replica().onWake("kit", first::release);
            replica().onWake("kit", woken::release);
            awaitWakeUp();

            ended.close();
            ended.close();
            await().atMost(TIMEOUT).until(() -> {
                first.drainPermits();
                woken.drainPermits();
                awaitWakeUp();
                return first.availablePermits() == 0;
            });
        }
    }

    @Nested
    class Signals {

        private final AtomicInteger signals = new AtomicInteger();

        private void awaitSignal() {
            await().atMost(TIMEOUT).until(() -> signals.getAndSet(0) > 0);
        }

        @Test
        void arriveWhenRecordIsPublished() {
            List<WireReader> readers =
                    List.of(replica().reader("notes"), replica().reader("lists"));
            replica().onArrival(List.of("notes", "lists"), signals::incrementAndGet);

            List<EventMessage> notes = published("notes", 1);
            awaitSignal();
            assertThat(polled(readers.get(0), 1)).isEqualTo(notes);

            List<EventMessage> lists = published("lists", 1);
            awaitSignal();
            assertThat(polled(readers.get(1), 1)).isEqualTo(lists);
        }

        @Test
        void arriveWhenHeadIsAnnounced() {
            replica().onArrival(List.of("notes"), signals::incrementAndGet);

            wire().announce(announcement(head(event("notes"))));

            awaitSignal();
        }

        @Test
        void reachEveryRegistration() {
            AtomicInteger others = new AtomicInteger();
            replica().onArrival(List.of("notes"), signals::incrementAndGet);
            wire().onArrival(List.of("notes"), others::incrementAndGet);

            wire().announce(announcement(head(event("notes"))));

            awaitSignal();
            await().atMost(TIMEOUT).until(() -> others.get() > 0);
        }

        @Test
        void stopAfterRegistrationIsClosed() {
            AtomicInteger closed = new AtomicInteger();
            replica().onArrival(List.of("notes"), closed::incrementAndGet).close();
            replica().onArrival(List.of("notes"), signals::incrementAndGet);

            wire().announce(announcement(head(event("notes"))));
            awaitSignal();

            assertThat(closed).hasValue(0);
        }

        @Test
        void reachEqualRegistrationAfterOtherIsClosedTwice() {
            Runnable signal = signals::incrementAndGet;
            Wire.Registration one = replica().onArrival(List.of("notes"), signal);
            replica().onArrival(List.of("notes"), signal);

            one.close();
            one.close();

            wire().announce(announcement(head(event("notes"))));
            awaitSignal();
        }
    }

    @Nested
    class Crashing {

        @Test
        void leavesNothingBeforePublish() {
            WireReader reader = replica().reader("notes");
            List<EventMessage> events = List.of(event("notes"), event("notes"));
            Crash.before(CommitPoint.WIRE_PUBLISH, harness, () -> wire().publish(events));

            assertThat(reader.poll(10)).isEmpty();
            wire().publish(events);
            assertThat(polled(reader, 2)).isEqualTo(events);
        }

        @Test
        void leavesEverythingAfterPublishAndDuplicatesWhenRepeated() {
            WireReader reader = replica().reader("notes");
            List<EventMessage> events = List.of(event("notes"), event("notes"));
            Crash.after(CommitPoint.WIRE_PUBLISH, harness, () -> wire().publish(events));

            assertThat(polled(reader, 2)).isEqualTo(events);
            wire().publish(events);
            assertThat(polled(reader, 2)).isEqualTo(events);
        }

        @Test
        void leavesOldHeadBeforeAndNewHeadAfterAnnounce() {
            StreamHead first = head(event("notes"));
            StreamHead second = head(event("notes"));
            wire().announce(announcement(first));
            awaitHead(first);

            Crash.before(CommitPoint.WIRE_ANNOUNCE, harness, () -> wire().announce(announcement(second)));
            assertThat(replica().head("notes")).contains(first);

            Crash.after(CommitPoint.WIRE_ANNOUNCE, harness, () -> wire().announce(announcement(second)));
            awaitHead(second);
        }
    }
}

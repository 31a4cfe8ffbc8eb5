package io.holdfast.wire.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WireStreamSourceTests {

    private final Service service = new Service();
    private final InMemoryWire wire = new InMemoryWire(100, Clock.systemUTC(), CommitPoint.Observer.NONE);
    private final WireStreamSource source = new WireStreamSource(wire, "reader/notes");
    private final AtomicInteger requests = new AtomicInteger();
    private final List<EventMessage> all = new ArrayList<>();
    private Wire.Registration serving = () -> {};
    private Reader reader = reader();

    @BeforeEach
    void serve() {
        serving = serve(service);
        reader = reader();
    }

    private Wire.Registration serve(Service owner) {
        StreamServer server = owner.server();
        return wire.serve(List.of("notes", "lists", "orders"), new CustomPageServer(server, request -> {
            requests.incrementAndGet();
            return server.page(request);
        }));
    }

    private Reader reader() {
        return new Reader(
                source, "notes", StreamPosition.beginning(service.log().identity()));
    }

    /** Appends events that the wire never sees. */
    private void append(int count) {
        all.addAll(service.append("notes", count));
    }

    private List<EventMessage> published(int count) {
        List<EventMessage> events = service.append("notes", count);
        wire.publish(events);
        all.addAll(events);
        return events;
    }

    private void announceHeads() {
        wire.announce(service.announcement());
    }

    private void announce(StreamHead... heads) {
        wire.announce(new Announcement("shop", "shop-1", List.of(), List.of(), List.of(), List.of(heads)));
    }

    private void servePages(Function<PageRequest, StreamPage> pages) {
        wire.serve(List.of("notes"), new CustomPageServer(service.server(), pages));
    }

    private EventMessage forged(LogIdentity log, long position, long previous, @Nullable UUID previousId) {
        return new EventMessage(
                EventIds.random(Instant.EPOCH),
                "shop",
                "notes",
                "a",
                99,
                Instant.EPOCH,
                Metadata.none(),
                Service.payload(),
                new LogPosition(log, position, previous, previousId));
    }

    private static UUID unknownId() {
        return EventIds.random(Instant.EPOCH);
    }

    /** A source that has lost events, and no replica of which knows it, starts no epoch. */
    @Nested
    class SourceBelowTheReader {

        private final ManualClock clock = new ManualClock();
        private final StreamSource clocked =
                WireStreamSource.of(wire, "reader/notes", clock).live(1);

        @Test
        void isAskedIfItStaysThereForLong() {
            List<EventMessage> events = published(2);
            announceHeads();
            StreamPosition lost = new StreamPosition(service.log().identity(), 5, unknownId());
            assertThat(clocked.read("notes", events.get(0).streamPosition(), 10))
                    .hasSize(1);
            assertThat(clocked.read("notes", events.get(1).streamPosition(), 10))
                    .isEmpty();
            assertThat(clocked.read("notes", lost, 10)).isEmpty();
            clock.advance(Duration.ofSeconds(4));
            assertThat(clocked.read("notes", lost, 10)).isEmpty();
            assertThat(requests).as("announcements may be late").hasValue(0);

            clock.advance(Duration.ofSeconds(2));

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> clocked.read("notes", lost, 10))
                    .withMessageContaining("it went back in time");
        }

        @Test
        void isNotAskedAgainBeforeTheSameTimeHasPassed() {
            List<EventMessage> events = published(3);
            announce(new StreamHead(
                    "notes", service.log().identity(), 2, events.get(1).id()));
            StreamPosition newest = events.get(2).streamPosition();
            clocked.read("notes", newest, 10);
            clock.advance(Duration.ofSeconds(6));
            clocked.read("notes", newest, 10);
            assertThat(requests).hasValue(1);

            clocked.read("notes", newest, 10);
            clock.advance(Duration.ofSeconds(4));
            clocked.read("notes", newest, 10);

            assertThat(requests).hasValue(1);
        }
    }

    @Nested
    class LiveStream {

        @Test
        void arrivesOverTheWireWithoutARequestToTheSource() {
            published(7);

            assertThat(reader.readAll()).isEqualTo(all);
            assertThat(requests).hasValue(0);
        }

        @Test
        void skipsDuplicateRecords() {
            List<EventMessage> events = published(3);
            wire.publish(events);
            wire.publish(events.subList(2, 3));
            published(1);

            assertThat(reader.readAll()).isEqualTo(all);
            assertThat(requests).hasValue(0);
        }

        @Test
        void returnsAtMostTheLimit() {
            published(5);

            assertThat(reader.read(2)).isEqualTo(all.subList(0, 2));
            assertThat(reader.read(10)).isEqualTo(all.subList(2, 5));
        }
    }

    @Nested
    class LostRecords {

        @Test
        void arePulledInPagesOfTheLimitWithOnePrefetched() {
            append(30);
            announceHeads();
            List<Integer> sizes = new ArrayList<>();
            servePages(request -> {
                StreamPage page = service.server().page(request);
                sizes.add(page.events().size());
                return page;
            });

            assertThat(reader.read(10)).isEqualTo(all.subList(0, 10));
            assertThat(sizes).containsExactly(10, 10);
            assertThat(reader.read(10)).isEqualTo(all.subList(10, 20));

            assertThat(sizes).as("one page is prefetched").containsExactly(10, 10, 10);
        }

        @Test
        void arePulledWhenTheyFollowAFullPage() {
            append(10);
            announceHeads();
            reader.read(10);

            append(1);
            announceHeads();

            assertThat(reader.read(10)).isEqualTo(all.subList(10, 11));
        }

        @Test
        void stopTheReaderWhenTheSourceWentBackAfterAFullPage() {
            append(10);
            announceHeads();
            reader.read(10);
            reader.read(10);
            StreamHead back = new StreamHead(
                    "notes", service.log().identity(), 7, all.get(6).id());
            servePages(request -> new StreamPage(back, service.log().epochs(), List.of()));

            announce(back);

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.read(10))
                    .withMessageContaining("went back in time");
        }

        @Test
        void showAsAGapWhenARestartedWireGrowsPastTheOldTail() {
            published(5);
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            wire.restart();
            published(8);

            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void atTheTailAreDetectedByTheAnnouncedHead() {
            published(10);
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            published(10);
            wire.loseTail("notes", 10);
            assertThat(reader.readAll()).isEmpty();

            announceHeads();
            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void thatWereAlreadyReadDoNotStopTheReader() {
            published(20);
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            wire.loseTail("notes", 10);
            published(5);
            assertThat(reader.readAll()).isEmpty();

            announceHeads();
            received.addAll(reader.readAll());
            published(3);
            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void arePulledWhenTheWireOverflowedMeanwhile() {
            published(3);
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            published(250);

            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void areNotDetectedBeforeAHeadIsAnnounced() {
            published(3);
            wire.restart();
            assertThat(reader.readAll()).isEmpty();

            announceHeads();

            assertThat(reader.readAll()).isEqualTo(all);
        }

        @Test
        void inTheMiddleArePulledFromTheSource() {
            published(2);
            append(4);
            published(2);

            assertThat(reader.readAll()).isEqualTo(all);
        }
    }

    @Nested
    class ForgedRecords {

        @Test
        void ofAnotherLogAreNeverDelivered() {
            published(2);
            wire.publish(List.of(forged(new LogIdentity(unknownId(), 1), 3, 2, unknownId())));
            published(2);

            assertOnlyGenuineEvents();
        }

        @Test
        void ofAnotherEpochAreNeverDelivered() {
            List<EventMessage> events = published(2);
            LogIdentity epoch = new LogIdentity(service.log().identity().id(), 2);
            wire.publish(List.of(forged(epoch, 3, 2, events.get(1).id())));
            published(2);

            assertOnlyGenuineEvents();
        }

        @Test
        void afterAPositionThatTheSourceDoesNotHaveAreNeverDelivered() {
            published(2);
            wire.publish(List.of(forged(service.log().identity(), 9, 7, unknownId())));
            published(2);

            assertOnlyGenuineEvents();
        }

        @Test
        void farBeyondTheHeadDoNotBlockTheStream() {
            published(2);
            wire.publish(List.of(forged(service.log().identity(), Long.MAX_VALUE, Long.MAX_VALUE - 1, unknownId())));

            assertOnlyGenuineEvents();
        }

        @Test
        void whosePredecessorIsBelowTheReadersPositionAreNeverDelivered() {
            List<EventMessage> events = published(5);
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            wire.publish(
                    List.of(forged(service.log().identity(), 9, 3, events.get(2).id())));
            received.addAll(reader.readAll());
            published(2);

            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void withTheRightPositionButAnotherPredecessorIdAreNeverDelivered() {
            published(2);
            wire.publish(List.of(forged(service.log().identity(), 3, 2, unknownId())));
            published(2);

            assertOnlyGenuineEvents();
        }

        private void assertOnlyGenuineEvents() {
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            assertThat(received).isEqualTo(all);
            int before = requests.get();
            assertThat(before).isLessThan(20);

            published(2);
            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
            assertThat(requests).hasValue(before);
        }
    }

    @Nested
    class UnavailableOrChangedSource {

        @Test
        void isPulledAgainAfterAnOutageDuringCatchUp() {
            append(5);
            published(1);
            serving.close();
            assertThat(reader.readAll()).isEmpty();

            serve(service);

            assertThat(reader.readAll()).isEqualTo(all);
        }

        @Test
        void losesNothingWhenItGoesDownDuringCatchUp() {
            append(5);
            announceHeads();
            List<EventMessage> received = new ArrayList<>(reader.read(2));
            wire.disconnect();
            assertThat(reader.readAll()).isEmpty();

            wire.reconnect();
            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void isPulledAgainAfterAFailure() {
            append(2);
            announceHeads();
            servePages(request -> {
                throw new IllegalStateException("no database");
            });
            assertThat(reader.readAll()).isEmpty();

            serve(service);

            assertThat(reader.readAll()).isEqualTo(all);
        }

        @Test
        void doesNotBlockOtherStreams() {
            Reader lists = new Reader(
                    source, "lists", StreamPosition.beginning(service.log().identity()));
            append(3);
            published(1);
            List<EventMessage> live = service.append("lists", 3);
            wire.publish(live);
            serving.close();

            assertThat(reader.readAll()).isEmpty();
            assertThat(lists.readAll()).isEqualTo(live);
        }

        @Test
        void stopsTheReaderWhenReplacedByAnotherLog() {
            published(3);
            reader.readAll();
            Service replaced = new Service();
            serve(replaced);
            List<EventMessage> others = replaced.append("notes", 5);
            wire.announce(replaced.announcement());

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.readAll())
                    .withMessageContaining("stream notes")
                    .withMessageContaining("position 3")
                    .withMessageContaining(service.log().identity().id().toString())
                    .withMessageContaining(replaced.log().identity().id().toString())
                    .withMessageContaining("Nothing is skipped; reset the reader or restore the source");

            wire.publish(others);
            assertThatExceptionOfType(StreamBrokenException.class).isThrownBy(() -> reader.readAll());
        }

        @Test
        void stopsTheReaderWhenItWentBackInTime() {
            published(5);
            reader.readAll();
            EventMessage third = all.get(2);
            StreamHead lower = new StreamHead("notes", third.logPosition().log(), third.position(), third.id());
            servePages(request -> new StreamPage(lower, service.log().epochs(), List.of()));
            wire.publish(List.of(forged(third.logPosition().log(), 9, 8, unknownId())));

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.readAll())
                    .withMessageContaining("position 5")
                    .withMessageContaining("position 3")
                    .withMessageContaining("went back in time");
        }

        @Test
        void stopsTheReaderWhenItHasAnotherEventAtTheReadersPosition() {
            published(5);
            reader.readAll();
            StreamHead rewritten = new StreamHead("notes", service.log().identity(), 5, unknownId());
            servePages(request -> new StreamPage(rewritten, service.log().epochs(), List.of()));

            announce(rewritten);

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.readAll())
                    .withMessageContaining("position 5")
                    .withMessageContaining("Nothing is skipped");
        }
    }

    @Nested
    class EvictedEvents {

        private Reader ordersReader() {
            return new Reader(
                    source, "orders", StreamPosition.beginning(service.log().identity()));
        }

        @Test
        void areNeverSkipped() {
            List<EventMessage> events = service.write("orders", 5);
            Reader behind = ordersReader();
            service.evict("orders", 3);
            wire.publish(events.subList(3, 5));

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(behind::readAll)
                    .withMessageContaining("stream orders")
                    .withMessageContaining("removed")
                    .withMessageContaining("Nothing is skipped");
            assertThat(behind.reached().position()).isZero();
        }

        @Test
        void areNeverSkippedWhenAllWereEvicted() {
            service.write("orders", 5);
            Reader behind = ordersReader();
            service.evict("orders", 5);
            announceHeads();

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(behind::readAll)
                    .withMessageContaining("stream orders")
                    .withMessageContaining("removed")
                    .withMessageContaining("Nothing is skipped");
        }

        @Test
        void doNotAffectAReaderThatHasPassedThem() {
            List<EventMessage> events = service.write("orders", 3);
            Reader passed = ordersReader();
            wire.publish(events);
            passed.readAll();
            service.evict("orders", 3);
            announceHeads();
            assertThat(passed.readAll()).isEmpty();

            List<EventMessage> later = service.write("orders", 2);
            announceHeads();

            assertThat(passed.readAll()).isEqualTo(later);
        }
    }

    @Nested
    class SeekingBack {

        @Test
        void returnsEventsAgain() {
            published(6);
            announceHeads();
            reader.readAll();

            reader.seek(all.get(1).streamPosition());

            assertThat(reader.readAll()).isEqualTo(all.subList(2, 6));
        }

        @Test
        void returnsEventsAgainWhileLiveRecordsWait() {
            published(4);
            reader.readAll();
            published(4);
            reader.read(1);

            reader.seek(StreamPosition.beginning(service.log().identity()));

            assertThat(reader.readAll()).isEqualTo(all);
        }
    }

    @Nested
    class RestoredSource {

        private final LogIdentity restored =
                new LogIdentity(service.log().identity().id(), 2);

        /** Restores the source to position 3 and appends one event. */
        private void restoreToPositionThree() {
            StreamHead head = new StreamHead("notes", restored, 4, unknownId());
            servePages(request -> new StreamPage(head, List.of(new Epoch(1, 0), new Epoch(2, 3)), List.of()));
            announce(head);
        }

        @Test
        void letsAReaderContinueThatIsNotPastTheRestoredPosition() {
            published(3);
            reader.readAll();
            service.raiseEpoch();

            List<EventMessage> later = published(2);

            assertThat(reader.readAll()).isEqualTo(later);
            assertThat(reader.reached().log()).isEqualTo(restored);
            assertThat(reader.readAll()).isEmpty();
        }

        @Test
        void letsAReaderCatchUpFromTheOldEpoch() {
            append(3);
            service.raiseEpoch();
            append(2);
            announceHeads();

            assertThat(reader.readAll())
                    .extracting(EventMessage::id)
                    .isEqualTo(all.stream().map(EventMessage::id).toList());
        }

        @Test
        void stopsAReaderThatHasReadLostEvents() {
            published(5);
            reader.readAll();
            restoreToPositionThree();

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.readAll())
                    .withMessageContaining("up to position 5")
                    .withMessageContaining("restored to position 3")
                    .withMessageContaining("accept the restore or reset the reader");
        }

        @Test
        void returnsThePositionToResumeFrom() {
            published(5);
            reader.readAll();
            restoreToPositionThree();

            assertThat(source.positionAfterRestore("notes", reader.reached()))
                    .contains(new RestoredPosition(false, new StreamPosition(restored, 3, null)));
        }

        @Test
        void returnsThePositionToResumeFromWhilePagesAreRequested() {
            published(5);
            reader.readAll();
            restoreToPositionThree();
            StreamPosition reached = reader.reached();
            List<Runnable> responses = new ArrayList<>();
            StreamSource slow = new WireStreamSource(wireWithDelayedResponses(responses), "reader/notes");
            assertThat(slow.positionAfterRestore("notes", reached)).isEmpty();
            assertThat(slow.read("notes", reached, 10)).isEmpty();

            responses.forEach(Runnable::run);

            assertThat(slow.positionAfterRestore("notes", reached))
                    .contains(new RestoredPosition(false, new StreamPosition(restored, 3, null)));
            assertThatExceptionOfType(StreamBrokenException.class).isThrownBy(() -> slow.read("notes", reached, 10));
        }

        /** The wire, with responses to page requests that arrive when the test runs them. */
        private Wire wireWithDelayedResponses(List<Runnable> responses) {
            return (Wire) Proxy.newProxyInstance(
                    Wire.class.getClassLoader(), new Class<?>[] {Wire.class}, (proxy, method, arguments) -> {
                        if (!method.getName().equals("request")) {
                            return method.invoke(wire, arguments);
                        }
                        CompletableFuture<StreamPage> response = new CompletableFuture<>();
                        PageRequest request = (PageRequest) arguments[0];
                        responses.add(
                                () -> response.complete(wire.request(request).join()));
                        return response;
                    });
        }

        @Test
        void stopsTheReaderWhenItIsInAnOlderEpoch() {
            published(3);
            reader.seek(new StreamPosition(restored, 3, all.get(2).id()));
            announceHeads();

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.readAll())
                    .withMessageContaining("older than its last restore")
                    .withMessageContaining("raise the source's epoch");
        }
    }

    @Nested
    class Announcements {

        private StreamHead head(int position) {
            return all.stream()
                    .filter(event -> event.position() == position)
                    .map(event -> new StreamHead("notes", event.logPosition().log(), position, event.id()))
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        void thatAreLateNeverStopAHealthyStream() {
            published(5);
            announceHeads();
            reader.readAll();

            announce(head(3));
            assertThat(reader.readAll()).isEmpty();
            assertThat(reader.readAll()).isEmpty();

            assertThat(requests).as("one request to the source").hasValue(1);
            List<EventMessage> more = published(2);
            assertThat(reader.readAll()).isEqualTo(more);
        }

        @Test
        void belowTheReadersPositionAreNotSuspiciousWhenTheyAdvance() {
            published(3);
            announceHeads();
            reader.readAll();
            published(2);
            reader.readAll();

            announce(head(4));

            assertThat(reader.readAll()).isEmpty();
            assertThat(requests).hasValue(0);
        }

        @Test
        void revealThatTheSourceWentBackWithoutNewRecords() {
            published(5);
            announceHeads();
            reader.readAll();
            servePages(request -> new StreamPage(head(3), service.log().epochs(), List.of()));

            announce(head(3));

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.readAll())
                    .withMessageContaining("went back in time");
        }

        @Test
        void revealToARestartedReaderThatTheSourceWentBack() {
            published(5);
            reader.seek(all.get(4).streamPosition());
            servePages(request -> new StreamPage(head(3), service.log().epochs(), List.of()));

            announce(head(3));

            assertThatExceptionOfType(StreamBrokenException.class)
                    .isThrownBy(() -> reader.readAll())
                    .withMessageContaining("went back in time");
        }
    }

    @Nested
    class Start {

        @Test
        void isEmptyUntilTheSourceResponds() {
            serving.close();

            assertThat(source.start("notes", StartAt.BEGINNING)).isEmpty();
        }

        @Test
        void atTheBeginningReadsAllEvents() {
            published(3);

            assertThat(Reader.from(source, "notes", StartAt.BEGINNING).readAll())
                    .isEqualTo(all);
        }

        @Test
        void nowReadsOnlyLaterEvents() {
            published(3);
            Reader late = Reader.from(source, "notes", StartAt.NOW);
            List<EventMessage> later = published(2);

            assertThat(late.readAll()).isEqualTo(later);
        }

        @Test
        void nowOnAnEmptyStreamReadsFromTheFirstEvent() {
            Reader early = Reader.from(source, "notes", StartAt.NOW);

            published(2);

            assertThat(early.readAll()).isEqualTo(all);
        }

        @Test
        void atTheBeginningReadsFromTheFirstRetainedEvent() {
            List<EventMessage> events = service.write("orders", 5);
            service.evict("orders", 3);
            announceHeads();

            assertThat(Reader.from(source, "orders", StartAt.BEGINNING).readAll())
                    .isEqualTo(events.subList(3, 5));
        }

        @Test
        void atTheBeginningOfAnEvictedStreamReadsLaterEvents() {
            service.write("orders", 5);
            service.evict("orders", 5);
            Reader late = Reader.from(source, "orders", StartAt.BEGINNING);
            List<EventMessage> later = service.write("orders", 2);
            announceHeads();

            assertThat(late.readAll()).isEqualTo(later);
        }
    }
}

package io.holdfast.wire;

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
import io.holdfast.memory.InMemoryWire;
import java.lang.reflect.Proxy;
import java.time.Clock;
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

    @Nested
    class LiveStream {

        @Test
        void comesOverTheWireWithoutAskingTheSource() {
            published(7);

            assertThat(reader.readAll()).isEqualTo(all);
            assertThat(requests).hasValue(0);
        }

        @Test
        void skipsRecordsThatWerePublishedTwice() {
            List<EventMessage> events = published(3);
            wire.publish(events);
            wire.publish(events.subList(2, 3));
            published(1);

            assertThat(reader.readAll()).isEqualTo(all);
            assertThat(requests).hasValue(0);
        }

        @Test
        void givesAtMostAsManyAsAskedFor() {
            published(5);

            assertThat(reader.read(2)).isEqualTo(all.subList(0, 2));
            assertThat(reader.read(10)).isEqualTo(all.subList(2, 5));
        }
    }

    @Nested
    class EmptiedWire {

        @Test
        void isMadeUpForByPagesOfWhatIsAskedForTheNextAskedAhead() {
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

            assertThat(sizes).as("one page is one ahead").containsExactly(10, 10, 10);
        }

        @Test
        void isAskedForWhatCameAfterItsLastPageWasFull() {
            append(10);
            announceHeads();
            reader.read(10);

            append(1);
            announceHeads();

            assertThat(reader.read(10)).isEqualTo(all.subList(10, 11));
        }

        @Test
        void andWhoseSourceWentBackAfterItsLastPageWasFullStopsTheReader() {
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
        void andGrewPastTheOldTailShowsAGap() {
            published(5);
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            wire.restart();
            published(8);

            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void theLastTenAndThenWasSilentShowsByTheHead() {
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
        void whatWasReadAlreadyGoesOn() {
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
        void whatPassedItsCapacityWhileTheReaderWasAwayIsPulled() {
            published(3);
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            published(250);

            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
        }

        @Test
        void everythingAndKnowsNoHeadGivesNothingUntilItIsAnnounced() {
            published(3);
            wire.restart();
            assertThat(reader.readAll()).isEmpty();

            announceHeads();

            assertThat(reader.readAll()).isEqualTo(all);
        }

        @Test
        void inTheMiddleIsFilledFromTheSource() {
            published(2);
            append(4);
            published(2);

            assertThat(reader.readAll()).isEqualTo(all);
        }
    }

    @Nested
    class ForgedRecords {

        @Test
        void ofAnotherLogIsNeverDelivered() {
            published(2);
            wire.publish(List.of(forged(new LogIdentity(unknownId(), 1), 3, 2, unknownId())));
            published(2);

            assertOnlyGenuineEvents();
        }

        @Test
        void ofAnotherEpochIsNeverDelivered() {
            List<EventMessage> events = published(2);
            LogIdentity epoch = new LogIdentity(service.log().identity().id(), 2);
            wire.publish(List.of(forged(epoch, 3, 2, events.get(1).id())));
            published(2);

            assertOnlyGenuineEvents();
        }

        @Test
        void behindAPositionThatTheSourceDoesNotHaveIsNeverDelivered() {
            published(2);
            wire.publish(List.of(forged(service.log().identity(), 9, 7, unknownId())));
            published(2);

            assertOnlyGenuineEvents();
        }

        @Test
        void farBeyondTheHeadDoesNotStandInTheWayForEver() {
            published(2);
            wire.publish(List.of(forged(service.log().identity(), Long.MAX_VALUE, Long.MAX_VALUE - 1, unknownId())));

            assertOnlyGenuineEvents();
        }

        @Test
        void thatReachesOverTheReadersPositionIsNeverDelivered() {
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
        void withTheRightPositionAndAnotherIdBeforeItIsNeverDelivered() {
            published(2);
            wire.publish(List.of(forged(service.log().identity(), 3, 2, unknownId())));
            published(2);

            assertOnlyGenuineEvents();
        }

        private void assertOnlyGenuineEvents() {
            List<EventMessage> received = new ArrayList<>(reader.readAll());
            assertThat(received).isEqualTo(all);
            int asked = requests.get();
            assertThat(asked).isLessThan(20);

            published(2);
            received.addAll(reader.readAll());

            assertThat(received).isEqualTo(all);
            assertThat(requests).hasValue(asked);
        }
    }

    @Nested
    class ASource {

        @Test
        void thatIsDownDuringCatchUpIsAskedAgain() {
            append(5);
            published(1);
            serving.close();
            assertThat(reader.readAll()).isEmpty();

            serve(service);

            assertThat(reader.readAll()).isEqualTo(all);
        }

        @Test
        void thatGoesDownInTheMiddleOfCatchUpLosesNothing() {
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
        void thatFailsIsAskedAgain() {
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
        void thatDoesNotAnswerForOneStreamDoesNotHoldUpAnother() {
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
        void thatWasReplacedByAnotherLogStopsTheReader() {
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
        void thatWentBackInTimeStopsTheReader() {
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
        void thatHasAnotherEventAtTheReadersPositionStopsTheReader() {
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
        void areNeverSkippedWhenNoneIsLeft() {
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
        void doNotDisturbAReaderThatHasPassedThem() {
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
    class AReader {

        @Test
        void thatGoesBackGetsEverythingAgain() {
            published(6);
            announceHeads();
            reader.readAll();

            reader.seek(all.get(1).streamPosition());

            assertThat(reader.readAll()).isEqualTo(all.subList(2, 6));
        }

        @Test
        void thatGoesBackGetsEverythingAgainWhileLiveRecordsWait() {
            published(4);
            reader.readAll();
            published(4);
            reader.read(1);

            reader.seek(StreamPosition.beginning(service.log().identity()));

            assertThat(reader.readAll()).isEqualTo(all);
        }
    }

    @Nested
    class ARestoredSource {

        private final LogIdentity restored =
                new LogIdentity(service.log().identity().id(), 2);

        /** The source was restored to position 3, and has got one more event since. */
        private void restoreToPositionThree() {
            StreamHead head = new StreamHead("notes", restored, 4, unknownId());
            servePages(request -> new StreamPage(head, List.of(new Epoch(1, 0), new Epoch(2, 3)), List.of()));
            announce(head);
        }

        @Test
        void letsAReaderGoOnThatHasNotComeFurther() {
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
        void stopsAReaderThatHasReadWhatIsForgotten() {
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
        void tellsWhereAReaderGoesOnThatAccepts() {
            published(5);
            reader.readAll();
            restoreToPositionThree();

            assertThat(source.positionAfterRestore("notes", reader.reached()))
                    .contains(new StreamPosition(restored, 3, null));
        }

        @Test
        void tellsWhereAReaderGoesOnThatAsksForPagesAtTheSameTime() {
            published(5);
            reader.readAll();
            restoreToPositionThree();
            StreamPosition stoodAt = reader.reached();
            List<Runnable> answers = new ArrayList<>();
            StreamSource slow = new WireStreamSource(wireWithDelayedResponses(answers), "reader/notes");
            assertThat(slow.positionAfterRestore("notes", stoodAt)).isEmpty();
            assertThat(slow.read("notes", stoodAt, 10)).isEmpty();

            answers.forEach(Runnable::run);

            assertThat(slow.positionAfterRestore("notes", stoodAt)).contains(new StreamPosition(restored, 3, null));
            assertThatExceptionOfType(StreamBrokenException.class).isThrownBy(() -> slow.read("notes", stoodAt, 10));
        }

        /** The wire, whose answers to requests come when they are run. */
        private Wire wireWithDelayedResponses(List<Runnable> answers) {
            return (Wire) Proxy.newProxyInstance(
                    Wire.class.getClassLoader(), new Class<?>[] {Wire.class}, (proxy, method, arguments) -> {
                        if (!method.getName().equals("request")) {
                            return method.invoke(wire, arguments);
                        }
                        CompletableFuture<StreamPage> answer = new CompletableFuture<>();
                        PageRequest request = (PageRequest) arguments[0];
                        answers.add(() -> answer.complete(wire.request(request).join()));
                        return answer;
                    });
        }

        @Test
        void thatIsInAnOlderEpochStopsTheReader() {
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
    class AnAnnouncement {

        private StreamHead head(int position) {
            return all.stream()
                    .filter(event -> event.position() == position)
                    .map(event -> new StreamHead("notes", event.logPosition().log(), position, event.id()))
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        void thatIsLateNeverStopsAHealthyStream() {
            published(5);
            announceHeads();
            reader.readAll();

            announce(head(3));
            assertThat(reader.readAll()).isEmpty();
            assertThat(reader.readAll()).isEmpty();

            assertThat(requests).as("the source is asked, once").hasValue(1);
            List<EventMessage> more = published(2);
            assertThat(reader.readAll()).isEqualTo(more);
        }

        @Test
        void behindWhatIsReadMeanwhileIsNotSuspicious() {
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
        void showsThatASourceWentBackAlsoIfNothingComes() {
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
        void showsAReaderThatStartsAgainThatItsSourceWentBack() {
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
    class AStart {

        @Test
        void waitsForASourceThatDoesNotAnswer() {
            serving.close();

            assertThat(source.start("notes", StartAt.BEGINNING)).isEmpty();
        }

        @Test
        void atTheBeginningGetsEverything() {
            published(3);

            assertThat(Reader.from(source, "notes", StartAt.BEGINNING).readAll())
                    .isEqualTo(all);
        }

        @Test
        void nowGetsOnlyWhatComesLater() {
            published(3);
            Reader late = Reader.from(source, "notes", StartAt.NOW);
            List<EventMessage> later = published(2);

            assertThat(late.readAll()).isEqualTo(later);
        }

        @Test
        void nowOnAnEmptyStreamGetsTheFirstEvent() {
            Reader early = Reader.from(source, "notes", StartAt.NOW);

            published(2);

            assertThat(early.readAll()).isEqualTo(all);
        }

        @Test
        void atTheBeginningIsWithTheFirstEventThatIsKept() {
            List<EventMessage> events = service.write("orders", 5);
            service.evict("orders", 3);
            announceHeads();

            assertThat(Reader.from(source, "orders", StartAt.BEGINNING).readAll())
                    .isEqualTo(events.subList(3, 5));
        }

        @Test
        void atTheBeginningOfAStreamThatKeepsNothingGetsWhatComesLater() {
            service.write("orders", 5);
            service.evict("orders", 5);
            Reader late = Reader.from(source, "orders", StartAt.BEGINNING);
            List<EventMessage> later = service.write("orders", 2);
            announceHeads();

            assertThat(late.readAll()).isEqualTo(later);
        }
    }
}

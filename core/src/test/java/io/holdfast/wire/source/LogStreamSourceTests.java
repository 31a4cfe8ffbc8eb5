package io.holdfast.wire.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogStreamSourceTests {

    private final Service service = new Service();
    private final LogStreamSource source = source("test/one");

    private LogStreamSource source(String group) {
        return new LogStreamSource(service.log(), service.groups(), group);
    }

    private Reader reader(String stream) {
        return new Reader(source, stream, StreamPosition.beginning(service.log().identity()));
    }

    @Test
    void readsOnlyItsStreamInOrder() {
        List<EventMessage> notes = service.append("notes", 2);
        service.append("lists", 2);
        EventMessage last = service.append("notes", 1).get(0);

        Reader reader = reader("notes");

        assertThat(reader.read(2)).isEqualTo(notes);
        assertThat(reader.read(2)).containsExactly(last);
        assertThat(reader.read(2)).isEmpty();
    }

    @Test
    void queriesTheLogAfterASignalOrThePollInterval() {
        AppendSignals signals = AppendSignals.tracked();
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        Reader quiet = new Reader(
                new LogStreamSource(service.log(), signals, service.groups(), "test/quiet", nanos::get),
                "notes",
                StreamPosition.beginning(service.log().identity()));
        assertThat(quiet.readAll()).isEmpty();

        service.append("notes", 1);
        signals.appended(Set.of("lists"));
        assertThat(quiet.readAll()).as("no signal for this stream").isEmpty();
        signals.appended(Set.of("notes"));
        assertThat(quiet.readAll()).hasSize(1);

        service.append("notes", 1);
        assertThat(quiet.readAll()).isEmpty();
        signals.appendedElsewhere();
        assertThat(quiet.readAll()).hasSize(1);

        service.append("notes", 1);
        assertThat(quiet.readAll()).isEmpty();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(quiet.readAll()).as("a signal may be missed").hasSize(1);
    }

    @Test
    void continuesWithoutASignalWhileThereAreMoreEvents() {
        AppendSignals signals = AppendSignals.tracked();
        Reader reader = new Reader(
                new LogStreamSource(service.log(), signals, service.groups(), "test/signals"),
                "notes",
                StreamPosition.beginning(service.log().identity()));
        List<EventMessage> events = service.append("notes", 5);

        assertThat(reader.read(2)).isEqualTo(events.subList(0, 2));
        assertThat(reader.read(2)).isEqualTo(events.subList(2, 4));
        assertThat(reader.read(2)).isEqualTo(events.subList(4, 5));
        assertThat(reader.read(2)).isEmpty();
        reader.seek(events.get(0).streamPosition());
        assertThat(reader.readAll()).isEqualTo(events.subList(1, 5));
    }

    @Test
    void startsAtTheBeginningOrNow() {
        service.append("notes", 2);
        Reader fromNow = Reader.from(source, "notes", StartAt.NOW);
        service.append("notes", 1);

        assertThat(fromNow.readAll()).hasSize(1);
        assertThat(Reader.from(source("test/two"), "notes", StartAt.BEGINNING).readAll())
                .hasSize(3);
    }

    @Test
    void startsAtTheFirstRetainedEvent() {
        List<EventMessage> events = service.write("orders", 4);
        service.evict("orders", 2);

        assertThat(Reader.from(source, "orders", StartAt.BEGINNING).readAll()).isEqualTo(events.subList(2, 4));
    }

    @Test
    void returnsEventsAgainToAReaderThatSeeksBack() {
        List<EventMessage> events = service.append("notes", 4);
        Reader reader = reader("notes");
        reader.readAll();

        reader.seek(events.get(0).streamPosition());

        assertThat(reader.readAll()).isEqualTo(events.subList(1, 4));
    }

    @Test
    void stopsAReaderOfAnotherLog() {
        service.append("notes", 1);
        Service other = new Service();
        Reader stray =
                new Reader(source, "notes", other.append("notes", 1).get(0).streamPosition());

        assertThatExceptionOfType(StreamBrokenException.class)
                .isThrownBy(() -> stray.read(10))
                .withMessageContaining("stream notes")
                .withMessageContaining(other.log().identity().id().toString())
                .withMessageContaining("reset the reader or restore the source");
    }

    @Test
    void stopsAReaderBehindEvictedEvents() {
        service.write("orders", 4);
        service.evict("orders", 2);
        Reader behind = reader("orders");

        assertThatExceptionOfType(StreamBrokenException.class)
                .isThrownBy(() -> behind.read(10))
                .withMessageContaining("stream orders")
                .withMessageContaining("Nothing is skipped");
    }

    @Test
    void stopsAReaderWhenAllEventsWereEvicted() {
        service.write("orders", 4);
        service.evict("orders", 4);
        Reader behind = reader("orders");

        assertThatExceptionOfType(StreamBrokenException.class)
                .isThrownBy(() -> behind.read(10))
                .withMessageContaining("stream orders")
                .withMessageContaining("Nothing is skipped");
    }

    @Test
    void stopsAReaderThatIsAheadOfTheLog() {
        service.append("notes", 2);
        Reader ahead = new Reader(
                source, "notes", new StreamPosition(service.log().identity(), 7, EventIds.random(Instant.EPOCH)));

        assertThatExceptionOfType(StreamBrokenException.class)
                .isThrownBy(() -> ahead.read(10))
                .withMessageContaining("went back in time");
    }

    @Test
    void stopsAReaderOfARewrittenHistory() {
        service.append("notes", 2);
        Reader stray = new Reader(
                source, "notes", new StreamPosition(service.log().identity(), 1, EventIds.random(Instant.EPOCH)));

        assertThatExceptionOfType(StreamBrokenException.class)
                .isThrownBy(() -> stray.read(10))
                .withMessageContaining("rewritten");
    }

    @Test
    void keepsItsFirstStart() {
        service.append("notes", 2);
        Reader.from(source, "notes", StartAt.NOW);
        service.append("notes", 3);

        assertThat(Reader.from(source, "notes", StartAt.BEGINNING).readAll()).hasSize(3);
    }

    @Test
    void startsAtTheFirstEventOfATime() {
        service.append("notes", 3);
        service.append("lists", 2);
        service.clock().advance(Duration.ofMinutes(1));
        Instant time = service.clock().instant();
        service.append("lists", 3);
        List<EventMessage> later = service.append("notes", 4);

        Reader fromTime = Reader.from(source, "notes", StartAt.at(time));
        Reader fromBefore = Reader.from(source("test/two"), "notes", StartAt.at(Instant.EPOCH));
        Reader fromLater = Reader.from(source("test/three"), "notes", StartAt.at(time.plusSeconds(1)));

        assertThat(fromTime.readAll()).isEqualTo(later);
        assertThat(fromBefore.readAll()).hasSize(7);
        assertThat(fromLater.readAll()).isEmpty();
        service.append("notes", 1);
        assertThat(fromLater.readAll()).hasSize(1);
    }

    /** Positions follow the commits, and times the clocks, which can be set. */
    @Test
    void startsAtATimeWithoutSkippingEventsFromBeforeTheClockWasSetBack() {
        service.append("notes", 3);
        service.clock().advance(Duration.ofMinutes(40));
        Instant time = service.clock().instant();
        List<EventMessage> wanted = service.append("notes", 2);
        service.clock().setForward(Duration.ofHours(-2));
        for (int i = 0; i < 10; i++) {
            service.append("notes", 10);
            service.clock().advance(Duration.ofMinutes(1));
        }

        assertThat(Reader.from(source, "notes", StartAt.at(time)).readAll())
                .startsWith(wanted.get(0), wanted.get(1))
                .hasSize(102);
    }

    @Test
    void continuesInANewEpoch() {
        service.append("notes", 3);
        Reader reader = reader("notes");
        reader.readAll();

        service.raiseEpoch();
        List<EventMessage> later = service.append("notes", 2);

        assertThat(reader.readAll()).isEqualTo(later);
        assertThat(reader.reached().log().epoch()).isEqualTo(2);
    }
}

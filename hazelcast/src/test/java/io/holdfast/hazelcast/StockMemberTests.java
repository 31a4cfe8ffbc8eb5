package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.testsupport.StockMember;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.RecordSigning;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.WireReader;
import io.holdfast.wire.WireUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A stock member is sufficient for the wire, and may be killed. */
class StockMemberTests {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final RecordSigning SIGNING =
            RecordSigning.required(new RecordSigning.Key("k1", "0123456789abcdef".getBytes(StandardCharsets.UTF_8)));

    private final TestEvents events = new TestEvents();

    private static void await(BooleanSupplier condition) {
        Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(10)).until(condition::getAsBoolean);
    }

    private static List<EventMessage> poll(WireReader reader, int count) {
        List<EventMessage> received = new ArrayList<>();
        await(() -> received.addAll(reader.poll(100)) && received.size() >= count);
        return received;
    }

    @Test
    void deliversEventsAndPagesBeforeAndAfterTheMemberIsKilled() throws Exception {
        try (StockMember member = new StockMember();
                HazelcastWire source =
                        client(member).signing(SIGNING).ringCapacity(77).open();
                HazelcastWire consumer =
                        client(member).signing(SIGNING).ringCapacity(77).open()) {
            await(() -> source.isUp() && consumer.isUp());
            WireReader reader = consumer.reader("notes");
            List<EventMessage> first = events.next("notes", 3);
            source.serve(List.of("notes"), pages(first));

            source.publish(first);

            assertThat(poll(reader, 3)).isEqualTo(first);
            assertThat(page(consumer)).isEqualTo(first);

            member.kill();
            await(() -> !source.isUp() && !consumer.isUp());
            assertThatExceptionOfType(WireUnavailableException.class).isThrownBy(() -> source.publish(first));
            member.restart();
            await(() -> source.isUp() && consumer.isUp());

            List<EventMessage> second = events.next("notes", 2);
            source.publish(second);
            assertThat(poll(reader, 2)).isEqualTo(second);
            assertThat(page(consumer)).isEqualTo(first);
            assertThat(consumer.instance().getRingbuffer("holdfast.stream.new").remainingCapacity())
                    .isEqualTo(77);
            assertThat(consumer.rejectedRecords()).isZero();
        }
    }

    @Test
    void rejectsForgedRecordsIfSignaturesAreRequired() {
        RecordSigning guessed = RecordSigning.required(
                new RecordSigning.Key("k1", "another secret, same id".getBytes(StandardCharsets.UTF_8)));
        try (StockMember member = new StockMember();
                HazelcastWire source = client(member).signing(SIGNING).open();
                HazelcastWire unsigned = client(member).open();
                HazelcastWire guessing = client(member).signing(guessed).open();
                HazelcastWire consumer = client(member).signing(SIGNING).open()) {
            await(() -> source.isUp() && unsigned.isUp() && guessing.isUp() && consumer.isUp());
            WireReader reader = consumer.reader("notes");
            List<EventMessage> genuine = events.next("notes", 3);
            source.publish(genuine.subList(0, 1));
            assertThat(poll(reader, 1)).isEqualTo(genuine.subList(0, 1));

            unsigned.publish(genuine.subList(1, 2));
            guessing.publish(genuine.subList(1, 2));
            await(() -> consumer.rejectedRecords() == 2);
            source.publish(genuine.subList(1, 3));

            assertThat(poll(reader, 2)).isEqualTo(genuine.subList(1, 3));
            assertThat(consumer.rejectedRecords()).isEqualTo(2);
        }
    }

    private static HazelcastWireBuilder client(StockMember member) {
        return HazelcastWire.client(member.cluster(), member.address());
    }

    private static List<EventMessage> page(HazelcastWire wire) throws Exception {
        return wire.request(new PageRequest("notes", 0, 10))
                .get(10, TimeUnit.SECONDS)
                .events();
    }

    private static StreamServer pages(List<EventMessage> events) {
        EventMessage last = events.get(events.size() - 1);
        StreamHead head = new StreamHead("notes", last.logPosition().log(), last.position(), last.id());
        return new StreamServer() {
            @Override
            public StreamPage page(PageRequest request) {
                return new StreamPage(head, List.of(new Epoch(1, 0)), events);
            }

            @Override
            public StreamPosition register(GroupRegistration registration) {
                return head.streamPosition();
            }

            @Override
            public void report(GroupReport report) {}
        };
    }
}

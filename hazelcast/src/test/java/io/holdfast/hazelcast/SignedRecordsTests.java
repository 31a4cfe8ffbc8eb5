package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.event.EventMessage;
import io.holdfast.wire.RecordSigning;
import io.holdfast.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Turns on signing and rotates keys while services run. docs/guides quotes this class. */
class SignedRecordsTests {

    private static final Duration BOUND = Duration.ofSeconds(15);

    private final RecordSigning.Key k1 = key("2026-01", "0123456789abcdef");
    private final RecordSigning.Key k2 = key("2026-07", "fedcba9876543210");
    private final TestMember member = new TestMember();
    private final List<HazelcastWire> wires = new ArrayList<>();
    private final TestEvents events = new TestEvents();

    @AfterEach
    void close() {
        wires.forEach(HazelcastWire::close);
        member.close();
    }

    private static RecordSigning.Key key(String id, String secret) {
        return new RecordSigning.Key(id, secret.getBytes(StandardCharsets.UTF_8));
    }

    private HazelcastWire service(RecordSigning signing) {
        HazelcastWire wire = member.client().signing(signing).open();
        wires.add(wire);
        await().atMost(BOUND).pollInterval(Duration.ofMillis(5)).until(wire::isUp);
        return wire;
    }

    /** Asserts that each accepts what the other publishes. */
    private void assertAcceptEachOther(HazelcastWire one, HazelcastWire other) {
        assertThat(accepts(one, other)).isTrue();
        assertThat(accepts(other, one)).isTrue();
    }

    private boolean accepts(HazelcastWire consumer, HazelcastWire source) {
        String stream = "notes-" + consumer.instance().getName() + "-"
                + source.instance().getName();
        WireReader reader = consumer.reader(stream);
        List<EventMessage> received = new ArrayList<>();
        long rejected = consumer.rejectedRecords();
        EventMessage event = events.next(stream);

        source.publish(List.of(event));

        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> {
            received.addAll(reader.poll(10));
            return !received.isEmpty() || consumer.rejectedRecords() > rejected;
        });
        return received.equals(List.of(event));
    }

    @Test
    void isTurnedOnInTwoSteps() {
        HazelcastWire off = service(RecordSigning.OFF);
        HazelcastWire accepting = service(RecordSigning.acceptingUnsigned(k1));
        HazelcastWire requiring = service(RecordSigning.required(k1));

        assertAcceptEachOther(off, accepting);
        assertAcceptEachOther(accepting, requiring);

        assertThat(accepts(requiring, off)).isFalse();
        assertThat(accepts(off, requiring)).isTrue();
    }

    @Test
    void rejectsAnInvalidSignatureEvenIfUnsignedRecordsAreAccepted() {
        HazelcastWire accepting = service(RecordSigning.acceptingUnsigned(k1));
        HazelcastWire guessing = service(RecordSigning.required(key("2026-01", "not the same secret")));

        assertThat(accepts(accepting, guessing)).isFalse();
    }

    @Test
    void rotatesKeysInThreeSteps() {
        HazelcastWire before = service(RecordSigning.required(k1));
        HazelcastWire verifying = service(RecordSigning.required(k1, k2));
        HazelcastWire signing = service(RecordSigning.required(k2, k1));
        HazelcastWire after = service(RecordSigning.required(k2));

        assertAcceptEachOther(before, verifying);
        assertAcceptEachOther(verifying, signing);
        assertAcceptEachOther(signing, after);

        assertThat(accepts(before, signing)).as("a step was skipped").isFalse();
        assertThat(accepts(after, verifying)).as("a step was skipped").isFalse();
    }
}

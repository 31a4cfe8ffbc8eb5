package io.holdfast.hazelcast;

import io.holdfast.tck.harness.WireHarness;
import io.holdfast.tck.wire.WireOperationsKit;
import io.holdfast.testsupport.FreePort;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedHazelcastWireOperationsTests extends WireOperationsKit {

    private final String cluster = "test-" + UUID.randomUUID();
    private final int port = FreePort.find();
    private final HazelcastWire one = EmbeddedWireHarness.member(cluster, port);
    private final HazelcastWire other = EmbeddedWireHarness.member(cluster, port);

    @AfterAll
    void close() {
        other.close();
        one.close();
    }

    @Override
    protected WireHarness newHarness() {
        return new EmbeddedWireHarness(one, other);
    }
}

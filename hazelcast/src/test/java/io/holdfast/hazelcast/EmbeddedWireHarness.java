package io.holdfast.hazelcast;

import com.hazelcast.core.DistributedObject;
import io.holdfast.tck.Capability;
import io.holdfast.tck.CrashPoints;
import io.holdfast.tck.WireHarness;
import io.holdfast.wire.Wire;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** Two embedded members of one cluster. */
final class EmbeddedWireHarness implements WireHarness {

    private static final int CAPACITY = 100;

    private final CrashPoints crashPoints = new CrashPoints();
    private final String cluster = "test-" + UUID.randomUUID();
    private final int port = TestMember.freePort();
    private final HazelcastWire wire = open();
    private final HazelcastWire elsewhere = open();

    private HazelcastWire open() {
        return HazelcastWire.embedded(cluster)
                .port(port)
                .ringCapacity(CAPACITY)
                .timeout(Duration.ofSeconds(1))
                .points(crashPoints)
                .open();
    }

    @Override
    public Map<Capability, String> lacks() {
        return Map.of(
                Capability.OUTAGE, "a member is always connected to itself",
                Capability.LOST_TAIL, "only a lost member loses a tail, and here each is a wire under test");
    }

    @Override
    public Wire wire() {
        return wire;
    }

    @Override
    public Wire elsewhere() {
        return elsewhere;
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public void forgetEverything() {
        wire.instance().getDistributedObjects().stream()
                .filter(object -> object.getName().startsWith(RingSettings.PREFIX))
                .forEach(DistributedObject::destroy);
    }

    @Override
    public void loseTail(String stream, int records) {
        throw new UnsupportedOperationException("a capability that it lacks");
    }

    @Override
    public void goDown() {
        throw new UnsupportedOperationException("a capability that it lacks");
    }

    @Override
    public void comeUp() {
        throw new UnsupportedOperationException("a capability that it lacks");
    }

    @Override
    public CrashPoints crashPoints() {
        return crashPoints;
    }

    @Override
    public void close() {
        elsewhere.close();
        wire.close();
    }
}

package io.holdfast.hazelcast;

import com.hazelcast.core.DistributedObject;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.WireHarness;
import io.holdfast.wire.Wire;
import java.time.Duration;
import java.util.Map;

/** Two embedded members of one cluster, emptied after each test. */
final class EmbeddedWireHarness implements WireHarness {

    private static final int CAPACITY = 100;

    private final CrashPoints crashPoints = new CrashPoints();
    private final HazelcastWire wire;
    private final HazelcastWire elsewhere;

    EmbeddedWireHarness(HazelcastWire one, HazelcastWire other) {
        this.wire = over(one);
        this.elsewhere = over(other);
    }

    /** Starts a member that many tests share, because joining and leaving a cluster takes seconds. */
    static HazelcastWire member(String cluster, int port) {
        return settings(HazelcastWire.embedded(cluster).port(port)).open();
    }

    private HazelcastWire over(HazelcastWire member) {
        return settings(HazelcastWire.over(member.instance()))
                .points(crashPoints)
                .open();
    }

    private static HazelcastWireBuilder settings(HazelcastWireBuilder builder) {
        return builder.ringCapacity(CAPACITY).timeout(Duration.ofSeconds(1));
    }

    @Override
    public Map<Capability, String> missingCapabilities() {
        return Map.of(
                Capability.OUTAGE, "a member is always connected to itself",
                Capability.LOST_TAIL, "only a lost member loses a tail, and here every member is a wire under test");
    }

    @Override
    public Wire wire() {
        return wire;
    }

    @Override
    public Wire replica() {
        return elsewhere;
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public void restartEmpty() {
        wire.instance().getDistributedObjects().stream()
                .filter(object -> object.getName().startsWith(RingSettings.PREFIX))
                .forEach(DistributedObject::destroy);
    }

    @Override
    public void loseTail(String stream, int records) {
        throw new UnsupportedOperationException("missing capability");
    }

    @Override
    public void disconnect() {
        throw new UnsupportedOperationException("missing capability");
    }

    @Override
    public void reconnect() {
        throw new UnsupportedOperationException("missing capability");
    }

    @Override
    public CrashPoints crashPoints() {
        return crashPoints;
    }

    @Override
    public void close() {
        elsewhere.close();
        wire.close();
        restartEmpty();
    }
}

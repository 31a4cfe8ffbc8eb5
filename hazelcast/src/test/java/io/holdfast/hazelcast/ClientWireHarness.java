package io.holdfast.hazelcast;

import static org.awaitility.Awaitility.await;

import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.WireHarness;
import io.holdfast.wire.Wire;
import java.time.Duration;

/** Two clients of one stock member, which the test stops and restarts empty. */
final class ClientWireHarness implements WireHarness {

    private static final int CAPACITY = 100;
    /** Hazelcast retries a call whose connection was lost for five seconds, and the next call may fail the same way. */
    private static final Duration BOUND = Duration.ofMinutes(1);

    private final CrashPoints crashPoints = new CrashPoints();
    private final TestMember member = new TestMember();
    private final HazelcastWire wire = open();
    private final HazelcastWire elsewhere = open();
    private boolean down;

    ClientWireHarness() {
        awaitUp(true);
    }

    private HazelcastWire open() {
        return member.client()
                .ringCapacity(CAPACITY)
                .timeout(Duration.ofSeconds(1))
                .points(crashPoints)
                .open();
    }

    private void awaitUp(boolean up) {
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> wire.isUp() == up && elsewhere.isUp() == up);
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
        if (!down) { // otherwise reconnect() restarts it empty
            disconnect();
            reconnect();
        }
    }

    @Override
    public void loseTail(String stream, int records) {
        member.loseTail(stream, records);
    }

    @Override
    public void disconnect() {
        member.stop();
        awaitUp(false);
        down = true;
    }

    @Override
    public void reconnect() {
        member.restart();
        awaitUp(true);
        down = false;
    }

    @Override
    public CrashPoints crashPoints() {
        return crashPoints;
    }

    @Override
    public void close() {
        wire.close();
        elsewhere.close();
        member.close();
    }
}

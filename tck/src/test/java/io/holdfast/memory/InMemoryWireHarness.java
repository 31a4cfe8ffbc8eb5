package io.holdfast.memory;

import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.WireHarness;
import io.holdfast.wire.Wire;
import java.time.Clock;

/** A small in-memory wire that the test disconnects and empties. */
final class InMemoryWireHarness implements WireHarness {

    private static final int CAPACITY = 100;

    private final CrashPoints crashPoints = new CrashPoints();
    private final InMemoryWire wire = new InMemoryWire(CAPACITY, Clock.systemUTC(), crashPoints);

    @Override
    public Wire wire() {
        return wire;
    }

    @Override
    public Wire replica() {
        return wire;
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public void restartEmpty() {
        wire.restart();
    }

    @Override
    public void loseTail(String stream, int records) {
        wire.loseTail(stream, records);
    }

    @Override
    public void disconnect() {
        wire.disconnect();
    }

    @Override
    public void reconnect() {
        wire.reconnect();
    }

    @Override
    public CrashPoints crashPoints() {
        return crashPoints;
    }

    @Override
    public void close() {}
}

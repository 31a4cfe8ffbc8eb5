package io.holdfast.tck.harness;

import io.holdfast.wire.Wire;

/** A new, empty wire under test, with the controls that a kit needs. One per test. */
public interface WireHarness extends Harness {

    /** Returns the wire under test as one replica sees it. */
    Wire wire();

    /** Returns the same wire as another replica sees it. */
    Wire replica();

    /**
     * Returns how many records of a stream the wire retains. It must be at most a few hundred, because the kit
     * publishes more.
     */
    int capacity();

    /** Removes all records and heads, as after an empty restart. Needs {@link Capability#EMPTY_RESTART}. */
    void restartEmpty();

    /** Removes the newest records of a stream. Needs {@link Capability#LOST_TAIL}. */
    void loseTail(String stream, int records);

    /** Disconnects every replica from the wire. Needs {@link Capability#OUTAGE}. */
    void disconnect();

    /** Ends a {@link #disconnect}, and returns once the wire is usable again. */
    void reconnect();
}

package io.holdfast.tck;

import io.holdfast.wire.Wire;

/** A fresh, empty wire under test, and what a kit needs to do to it. One per test. */
public interface WireHarness extends Harness {

    /** The wire under test, as one process sees it. */
    Wire wire();

    /** The same wire as another process sees it. */
    Wire replica();

    /** How many records of a stream the wire keeps; a few hundred at most, as the kit publishes more. */
    int capacity();

    /** Makes the wire forget all records and heads, as if it came back empty. Needs {@link Capability#EMPTY_RESTART}. */
    void restartEmpty();

    /** Makes the wire forget a stream's newest records. Needs {@link Capability#LOST_TAIL}. */
    void loseTail(String stream, int records);

    /** Cuts every process off from the wire. Needs {@link Capability#OUTAGE}. */
    void disconnect();

    /** Ends what {@link #disconnect} began, and returns when the wire can be used again. */
    void reconnect();
}

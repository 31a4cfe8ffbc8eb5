package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import java.util.List;

/** Reads one stream from the wire, at its own pace. For one thread at a time. */
public interface WireReader {

    /**
     * The next records, at most {@code limit}; empty if there are none, or the wire is down. What the wire forgot
     * meanwhile is skipped without a sign.
     */
    List<EventMessage> poll(int limit);
}

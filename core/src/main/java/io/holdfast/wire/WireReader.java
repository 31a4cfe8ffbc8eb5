package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import java.util.List;

/** Reads one stream from the wire at its own pace. Not thread-safe. */
public interface WireReader {

    /**
     * Returns the next records, at most {@code limit}; empty if there are none or the wire is down. Records that the
     * wire has lost are skipped silently.
     */
    List<EventMessage> poll(int limit);
}

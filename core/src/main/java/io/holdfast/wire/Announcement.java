package io.holdfast.wire;

import io.holdfast.event.StreamHead;
import java.util.List;

/**
 * What each replica of each service repeats every second: that it is there, what it has, and how far its streams have
 * come. Of all replicas together it is the service directory. Only a hint.
 *
 * @param replica unique to the process
 * @param addresses where it can be reached from outside, if it says so
 * @param streams that it owns, whether they have events or not
 * @param components the ids of its components
 * @param heads of the streams that have events
 */
public record Announcement(
        String service,
        String replica,
        List<String> addresses,
        List<String> streams,
        List<String> components,
        List<StreamHead> heads) {

    public Announcement {
        addresses = List.copyOf(addresses);
        streams = List.copyOf(streams);
        components = List.copyOf(components);
        heads = List.copyOf(heads);
    }
}

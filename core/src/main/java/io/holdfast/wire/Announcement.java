package io.holdfast.wire;

import io.holdfast.event.StreamHead;
import java.util.List;

/**
 * A replica's announcement, repeated every second: its streams, components and heads. The announcements of all
 * replicas form the service directory. Only a hint.
 *
 * @param replica unique to the process
 * @param addresses where it can be reached from outside, if configured
 * @param streams the streams that it owns, with or without events
 * @param components the ids of its components
 * @param heads the heads of its streams that have events
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

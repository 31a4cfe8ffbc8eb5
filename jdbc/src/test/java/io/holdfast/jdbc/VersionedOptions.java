package io.holdfast.jdbc;

import io.holdfast.handling.Component;
import java.time.Duration;
import java.util.List;

/**
 * Options of a {@link VersionedReplica}.
 *
 * @param replica the name of the replica
 * @param version the version of the service
 * @param change what differs between the old version and the new one
 * @param maxHold the time after which an event that waits for another version becomes PENDING
 */
record VersionedOptions(String replica, String version, VersionChange change, Duration maxHold) {

    List<Component> components() {
        return change.components(version);
    }

    /** Returns the options as arguments of a process. */
    List<String> arguments() {
        return List.of(replica, version, change.name(), maxHold.toString());
    }

    /**
     * @param arguments contain the result of {@link #arguments}
     * @param from the index of its first element
     */
    static VersionedOptions parse(String[] arguments, int from) {
        return new VersionedOptions(
                arguments[from],
                arguments[from + 1],
                VersionChange.valueOf(arguments[from + 2]),
                Duration.parse(arguments[from + 3]));
    }
}

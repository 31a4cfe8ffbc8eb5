package io.holdfast.jdbc;

import java.time.Duration;
import java.util.List;

/**
 * What a {@link CopyingReplica} is like.
 *
 * @param replica its name
 * @param ownRows whether its component keeps the rows itself, instead of a view
 * @param failing whether some orders fail when they are seen first
 * @param lease of its segments
 * @param processes whether it has a processor at all
 */
record CopyingOptions(String replica, boolean ownRows, boolean failing, Duration lease, boolean processes) {

    static final CopyingOptions NO_PROCESSOR =
            new CopyingOptions("no-processor", false, false, Duration.ofSeconds(2), false);

    static CopyingOptions of(String replica) {
        return new CopyingOptions(replica, false, false, Duration.ofSeconds(2), true);
    }

    CopyingOptions named(String name) {
        return new CopyingOptions(name, ownRows, failing, lease, processes);
    }

    CopyingOptions ownRows(boolean own) {
        return new CopyingOptions(replica, own, failing, lease, processes);
    }

    CopyingOptions failingAtFirst() {
        return new CopyingOptions(replica, ownRows, true, lease, processes);
    }

    CopyingOptions lease(Duration newLease) {
        return new CopyingOptions(replica, ownRows, failing, newLease, processes);
    }

    /** As a process is told of them. */
    List<String> arguments() {
        return List.of(replica, Boolean.toString(ownRows), Boolean.toString(failing), lease.toString());
    }

    /** @param arguments as {@link #arguments} gives them, from an index on */
    static CopyingOptions parse(String[] arguments, int from) {
        return new CopyingOptions(
                arguments[from],
                Boolean.parseBoolean(arguments[from + 1]),
                Boolean.parseBoolean(arguments[from + 2]),
                Duration.parse(arguments[from + 3]),
                true);
    }
}

package io.holdfast.jdbc;

import java.time.Duration;
import java.util.List;

/**
 * Options of a {@link CopyingReplica}.
 *
 * @param replica the name of the replica
 * @param ownRows whether its component writes application rows instead of rows of a view
 * @param failing whether some orders fail on their first attempt
 * @param lease the lease of its segments
 * @param processes whether it has a processor
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

    /** Returns the options as arguments of a process. */
    List<String> arguments() {
        return List.of(replica, Boolean.toString(ownRows), Boolean.toString(failing), lease.toString());
    }

    /**
     * @param arguments contain the result of {@link #arguments}
     * @param from the index of its first element
     */
    static CopyingOptions parse(String[] arguments, int from) {
        return new CopyingOptions(
                arguments[from],
                Boolean.parseBoolean(arguments[from + 1]),
                Boolean.parseBoolean(arguments[from + 2]),
                Duration.parse(arguments[from + 3]),
                true);
    }
}

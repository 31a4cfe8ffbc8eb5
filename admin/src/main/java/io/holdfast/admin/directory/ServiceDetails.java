package io.holdfast.admin.directory;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.wire.Announcement;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service of the system.
 *
 * @param live whether a replica has announced itself in the last seconds
 * @param firstSeen when it was first seen; null if that is not recorded yet
 * @param silentSince when it was last seen, to the minute; null if it is live
 * @param replicas the live replicas
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServiceDetails(
        String name,
        boolean live,
        @Nullable Instant firstSeen,
        @Nullable Instant silentSince,
        List<ReplicaDetails> replicas) {

    public ServiceDetails {
        replicas = List.copyOf(replicas);
    }

    /**
     * The last announcement of a replica.
     *
     * @param addresses where it can be reached from outside, if configured
     * @param streams the streams that it owns
     * @param components the ids of its components
     */
    public record ReplicaDetails(
            String replica, List<String> addresses, List<String> streams, List<String> components) {

        static ReplicaDetails of(Announcement announced) {
            return new ReplicaDetails(
                    announced.replica(), announced.addresses(), announced.streams(), announced.components());
        }
    }
}

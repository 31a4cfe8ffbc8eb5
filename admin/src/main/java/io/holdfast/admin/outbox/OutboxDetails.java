package io.holdfast.admin.outbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.gateway.GatheredReplicas.ReplicaAnswer;
import io.holdfast.admin.outbox.OutboxListing.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of a service: its committed events on their way to the wire.
 *
 * @param publisher the replica that publishes; null if none of those that answered does
 * @param position the log position up to which events are published; null without a publisher
 * @param pending the number of committed events not known to be published, as of a second ago
 * @param oldest when the first event occurred that could not be published; null if none waits for the wire
 * @param failed the number of events that the live replicas have given up since they started
 * @param problem why publishing fails; null if it does not
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OutboxDetails(
        String service,
        @Nullable String publisher,
        @Nullable Long position,
        long pending,
        @Nullable Instant oldest,
        long failed,
        @Nullable String problem) {

    /** Merges what the replicas of a service report; at most one of them publishes. */
    static OutboxDetails of(String service, List<ReplicaAnswer<State>> replicas) {
        Optional<ReplicaAnswer<State>> publisher = replicas.stream()
                .filter(replica -> replica.answer().publishing())
                .findFirst();
        ReplicaAnswer<State> source = publisher.orElse(replicas.get(0));
        return new OutboxDetails(
                service,
                publisher.map(ReplicaAnswer::replica).orElse(null),
                publisher.map(replica -> replica.answer().position()).orElse(null),
                source.answer().pending(),
                source.answer().oldest(),
                replicas.stream()
                        .mapToLong(replica -> replica.answer().failed())
                        .sum(),
                source.answer().problem());
    }
}

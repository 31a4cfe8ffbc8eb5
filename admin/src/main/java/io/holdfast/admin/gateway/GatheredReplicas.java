package io.holdfast.admin.gateway;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * What all replicas have answered.
 *
 * @param answers ordered by service and replica
 * @param incomplete the services that are known, but have no live replica, or one that has not answered in time
 */
public record GatheredReplicas<A>(List<ReplicaAnswer<A>> answers, List<String> incomplete) {

    public GatheredReplicas {
        answers = List.copyOf(answers);
        incomplete = List.copyOf(incomplete);
    }

    /** The answer of one replica. */
    public record ReplicaAnswer<A>(String service, String replica, A answer) {}

    /** @param replicas the service of each replica */
    static <A> GatheredReplicas<A> of(
            Map<String, String> replicas, Map<String, CompletableFuture<A>> answers, Collection<String> silent) {
        List<ReplicaAnswer<A>> complete = new ArrayList<>();
        TreeSet<String> incomplete = new TreeSet<>(silent);
        replicas.forEach((replica, service) -> {
            CompletableFuture<A> answer = answers.get(replica);
            if (answer == null || answer.isCompletedExceptionally()) {
                incomplete.add(service);
            } else {
                complete.add(new ReplicaAnswer<>(service, replica, answer.join()));
            }
        });
        complete.sort(Comparator.comparing((ReplicaAnswer<A> answer) -> answer.service())
                .thenComparing(ReplicaAnswer::replica));
        return new GatheredReplicas<>(complete, List.copyOf(incomplete));
    }
}

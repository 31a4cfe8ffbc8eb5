package io.holdfast.admin.gateway;

import io.holdfast.admin.gateway.GatheredReplicas.ReplicaAnswer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The entries of all services.
 *
 * @param incomplete the services whose entries may be missing, because they did not answer in time
 */
public record GatheredList<E>(List<E> entries, List<String> incomplete) {

    public GatheredList {
        entries = List.copyOf(entries);
        incomplete = List.copyOf(incomplete);
    }

    /**
     * Concatenates the entries of all services, ordered by their names.
     *
     * @param entries returns the entries of a service, given its name and answer
     */
    public static <A, E> GatheredList<E> of(
            Gathered<A> gathered, BiFunction<String, ? super A, ? extends Collection<E>> entries) {
        Map<String, A> byName = new TreeMap<>(gathered.answers());
        List<E> all = byName.entrySet().stream()
                .flatMap(answer -> entries.apply(answer.getKey(), answer.getValue()).stream())
                .toList();
        return new GatheredList<>(all, gathered.incomplete());
    }

    /** Concatenates the entries of all replicas. */
    public static <A, E> GatheredList<E> of(
            GatheredReplicas<A> gathered, Function<ReplicaAnswer<A>, ? extends Collection<E>> entries) {
        List<E> all = gathered.answers().stream()
                .flatMap(answer -> entries.apply(answer).stream())
                .toList();
        return new GatheredList<>(all, gathered.incomplete());
    }
}

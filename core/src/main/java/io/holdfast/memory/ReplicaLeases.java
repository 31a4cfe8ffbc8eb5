package io.holdfast.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The live replicas of each consumer, with the end of their leases. Guarded by its own monitor. */
final class ReplicaLeases {

    private final Map<String, Map<String, Instant>> replicas = new HashMap<>();

    synchronized Set<String> renew(String consumer, String replica, Duration lease, Instant now) {
        Map<String, Instant> leases = replicas.computeIfAbsent(consumer, unknown -> new HashMap<>());
        leases.put(replica, now.plus(lease));
        leases.values().removeIf(until -> !now.isBefore(until));
        return Set.copyOf(leases.keySet());
    }

    synchronized void release(String consumer, String replica) {
        replicas.getOrDefault(consumer, new HashMap<>()).remove(replica);
    }
}

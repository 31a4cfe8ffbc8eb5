package io.holdfast.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Who is there to work, by consumer, and until when that holds. Guarded by its own monitor. */
final class ReplicaLeases {

    private final Map<String, Map<String, Instant>> replicas = new HashMap<>();

    synchronized Set<String> renew(String consumer, String replica, Duration lease, Instant now) {
        Map<String, Instant> there = replicas.computeIfAbsent(consumer, unknown -> new HashMap<>());
        there.put(replica, now.plus(lease));
        there.values().removeIf(until -> !now.isBefore(until));
        return Set.copyOf(there.keySet());
    }

    synchronized void release(String consumer, String replica) {
        replicas.getOrDefault(consumer, new HashMap<>()).remove(replica);
    }
}

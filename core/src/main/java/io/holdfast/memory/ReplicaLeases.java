package io.holdfast.memory;

import io.holdfast.token.ProcessorDefinition;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The live replicas of each consumer, with the end of their leases. Guarded by its own monitor. */
final class ReplicaLeases {

    private final Map<String, Map<String, Lease>> replicas = new HashMap<>();

    synchronized Map<String, ProcessorDefinition> renew(
            String consumer, String replica, MonotonicTime now, Duration lease, ProcessorDefinition handled) {
        Map<String, Lease> leases = replicas.computeIfAbsent(consumer, unknown -> new HashMap<>());
        leases.put(replica, new Lease(now.plus(lease), handled));
        leases.values().removeIf(other -> !now.isBefore(other.end()));
        Map<String, ProcessorDefinition> live = new HashMap<>();
        leases.forEach((name, other) -> live.put(name, other.handled()));
        return Map.copyOf(live);
    }

    synchronized void release(String consumer, String replica) {
        replicas.getOrDefault(consumer, new HashMap<>()).remove(replica);
    }

    private record Lease(MonotonicTime end, ProcessorDefinition handled) {}
}

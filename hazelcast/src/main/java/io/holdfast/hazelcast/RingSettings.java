package io.holdfast.hazelcast;

import com.hazelcast.config.RingbufferConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.ringbuffer.Ringbuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies capacity and backup count to the ringbuffers of all streams. A cluster loses the configuration that clients
 * add when its members restart, so the link applies it at every connection, before any ringbuffer is used. An existing
 * ringbuffer keeps the settings it was created with.
 */
final class RingSettings {

    static final String PREFIX = "holdfast.stream.";

    private static final Logger log = LoggerFactory.getLogger(RingSettings.class);

    private final int capacity;
    private final int backups;
    private final Set<String> checkedStreams = ConcurrentHashMap.newKeySet();

    RingSettings(int capacity, int backups) {
        this.capacity = capacity;
        this.backups = backups;
    }

    static String ringName(String stream) {
        return PREFIX + stream;
    }

    /** @throws RuntimeException if the cluster is unreachable; a conflicting setting only logs a warning */
    void apply(HazelcastInstance instance) {
        checkedStreams.clear();
        RingbufferConfig config = new RingbufferConfig(PREFIX + "*")
                .setCapacity(capacity)
                .setBackupCount(backups)
                .setAsyncBackupCount(0)
                .setTimeToLiveSeconds(0);
        try {
            instance.getConfig().addRingBufferConfig(config);
        } catch (RuntimeException e) {
            if (Failures.isOutage(e)) {
                throw e;
            }
            log.warn(
                    "The cluster rejects the settings of ringbuffers {}* (capacity {}, backups {}) and uses its own: {}",
                    PREFIX,
                    capacity,
                    backups,
                    e.getMessage());
        }
    }

    /** Warns once per stream and connection, because a member's own configuration silently takes precedence. */
    void warnIfCapacityDiffers(String stream, Ringbuffer<?> ring) {
        if (checkedStreams.add(stream)) {
            long found = ring.remainingCapacity(); // unlike capacity(), not cached across a member's restart
            if (found != capacity) {
                log.warn(
                        "Ringbuffer {} has a capacity of {} records instead of {}: it uses the cluster's own configuration"
                                + " or an older one",
                        ringName(stream),
                        found,
                        capacity);
            }
        }
    }
}

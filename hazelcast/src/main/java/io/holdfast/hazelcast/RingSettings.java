package io.holdfast.hazelcast;

import com.hazelcast.config.RingbufferConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.ringbuffer.Ringbuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the ring buffers of all streams are to be. What a client adds to a cluster's configuration is gone when its members
 * have restarted, so it is added at every connection, before a ring is used; a ring that exists keeps what it was made with.
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

    /** @throws RuntimeException if the cluster cannot be reached; that it has another setting is only a warning */
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
                    "The cluster does not take the settings of ring buffers {}* (capacity {}, backups {}) and uses its"
                            + " own: {}",
                    PREFIX,
                    capacity,
                    backups,
                    e.getMessage());
        }
    }

    /** A member's own configuration wins without a sign; says so once for each stream and connection. */
    void warnIfCapacityDiffers(String stream, Ringbuffer<?> ring) {
        if (checkedStreams.add(stream)) {
            long found = ring.remainingCapacity(); // unlike capacity() never remembered from before a restart
            if (found != capacity) {
                log.warn(
                        "Ring buffer {} keeps {} records and not {}: the cluster's own configuration, or an older one, is"
                                + " used",
                        ringName(stream),
                        found,
                        capacity);
            }
        }
    }
}

package io.holdfast.commit.group;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import io.holdfast.worker.SegmentLease;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Identity and limits of a committer.
 *
 * @param service the service's name, which events carry as their source
 * @param ownedStreams the only streams that decisions may append to; empty for any stream
 * @param queueCapacity the number of units that may wait; further callers are rejected
 * @param maxBatch the maximum number of units in one commit
 * @param stallTimeout the time after which a committer that does not finish its batch is considered stalled
 */
public record CommitterSettings(
        String service, Optional<Set<String>> ownedStreams, int queueCapacity, int maxBatch, Duration stallTimeout) {

    public static final int DEFAULT_QUEUE = 1024;
    public static final int DEFAULT_BATCH = 256;
    /** One lease: a replica that cannot commit for that long should lose its segments to another one. */
    public static final Duration DEFAULT_STALL_TIMEOUT = SegmentLease.DEFAULT_LEASE;

    public CommitterSettings {
        Names.require("name of service", service);
        ownedStreams = ownedStreams.map(Set::copyOf);
        if (queueCapacity < 1 || maxBatch < 1) {
            throw new PermanentException(
                    "the committer of " + service + " needs a queue capacity and a batch size of at least 1, but has "
                            + queueCapacity + " and " + maxBatch);
        }
    }

    /** Returns the defaults, without a limit on streams. */
    public static CommitterSettings of(String service) {
        return new CommitterSettings(service, Optional.empty(), DEFAULT_QUEUE, DEFAULT_BATCH, DEFAULT_STALL_TIMEOUT);
    }

    /** Returns the same settings, limited to these streams. */
    public CommitterSettings owning(Set<String> streams) {
        return new CommitterSettings(service, Optional.of(streams), queueCapacity, maxBatch, stallTimeout);
    }

    public CommitterSettings queue(int capacity) {
        return new CommitterSettings(service, ownedStreams, capacity, maxBatch, stallTimeout);
    }

    public CommitterSettings stallTimeout(Duration timeout) {
        return new CommitterSettings(service, ownedStreams, queueCapacity, maxBatch, timeout);
    }

    /** @throws PermanentException if the stream belongs to another service */
    void checkOwned(String stream) {
        if (ownedStreams.isPresent() && !ownedStreams.get().contains(stream)) {
            throw new PermanentException(
                    "service " + service + " does not own stream " + stream + ", only " + ownedStreams.get()
                            + "; exactly one service writes to a stream. Declare it with owns(…), or send its"
                            + " owner an event");
        }
    }
}

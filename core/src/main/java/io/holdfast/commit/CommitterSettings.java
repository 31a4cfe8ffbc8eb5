package io.holdfast.commit;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.util.Optional;
import java.util.Set;

/**
 * What a committer may do and how much at once.
 *
 * @param service the name that events carry as their source
 * @param ownedStreams the only streams that decisions may append to; absent for any
 * @param queueCapacity how many units may wait before callers are refused
 * @param maxBatch how many units are committed together at most
 */
public record CommitterSettings(String service, Optional<Set<String>> ownedStreams, int queueCapacity, int maxBatch) {

    public static final int DEFAULT_QUEUE = 1024;
    public static final int DEFAULT_BATCH = 256;

    public CommitterSettings {
        Names.require("name of service", service);
        ownedStreams = ownedStreams.map(Set::copyOf);
        if (queueCapacity < 1 || maxBatch < 1) {
            throw new PermanentException("the committer of " + service
                    + " needs a queue and a batch of 1 or more, but has " + queueCapacity + " and " + maxBatch);
        }
    }

    /** The defaults, for any stream. */
    public static CommitterSettings of(String service) {
        return new CommitterSettings(service, Optional.empty(), DEFAULT_QUEUE, DEFAULT_BATCH);
    }

    /** The same, for these streams only. */
    public CommitterSettings owning(Set<String> streams) {
        return new CommitterSettings(service, Optional.of(streams), queueCapacity, maxBatch);
    }

    public CommitterSettings queue(int capacity) {
        return new CommitterSettings(service, ownedStreams, capacity, maxBatch);
    }

    /** @throws PermanentException if the stream belongs to another service */
    void checkOwned(String stream) {
        if (ownedStreams.isPresent() && !ownedStreams.get().contains(stream)) {
            throw new PermanentException(
                    "service " + service + " does not own stream " + stream + ", only " + ownedStreams.get()
                            + "; a stream is written by one service. Add it with owns(…), or send the other service an event");
        }
    }
}

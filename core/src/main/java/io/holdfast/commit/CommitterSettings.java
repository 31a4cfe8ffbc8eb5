package io.holdfast.commit;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.util.Optional;
import java.util.Set;

/**
 * Identity and limits of a committer.
 *
 * @param service the service's name, which events carry as their source
 * @param ownedStreams the only streams that decisions may append to; empty for any stream
 * @param queueCapacity the number of units that may wait; further callers are rejected
 * @param maxBatch the maximum number of units in one commit
 */
public record CommitterSettings(String service, Optional<Set<String>> ownedStreams, int queueCapacity, int maxBatch) {

    public static final int DEFAULT_QUEUE = 1024;
    public static final int DEFAULT_BATCH = 256;

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
        return new CommitterSettings(service, Optional.empty(), DEFAULT_QUEUE, DEFAULT_BATCH);
    }

    /** Returns the same settings, limited to these streams. */
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
                            + "; exactly one service writes to a stream. Declare it with owns(…), or send its"
                            + " owner an event");
        }
    }
}

package io.holdfast.deadletter;

import java.util.concurrent.CompletableFuture;

/** A running replay of many sequences. Thread-safe. */
public interface BulkReplay {

    BulkProgress progress();

    /** Starts no further sequences. Sequences that were already started are completed. */
    void stop();

    /** @return a future that completes with the final progress when the replay has ended */
    CompletableFuture<BulkProgress> result();
}

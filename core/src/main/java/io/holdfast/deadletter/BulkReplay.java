package io.holdfast.deadletter;

import java.util.concurrent.CompletableFuture;

/** Many sequences that are being processed again. For any number of threads. */
public interface BulkReplay {

    /** How far it has come. */
    BulkProgress progress();

    /** Begins no more; what was begun is brought to an end. */
    void stop();

    /** What came of it, when it has ended. */
    CompletableFuture<BulkProgress> result();
}

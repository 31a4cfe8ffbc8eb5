package io.holdfast.processing;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** Something that an operator wants of a processor, done step by step by its coordinator. */
interface Operation {

    /** When it is given up. */
    Instant deadline();

    CompletableFuture<?> result();

    /** Does what can be done now; when it is done, or cannot be, it has been answered. */
    void advance();

    /** It has been answered, or given up: everything goes on. */
    void finish();
}

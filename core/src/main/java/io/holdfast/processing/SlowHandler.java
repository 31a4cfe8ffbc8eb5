package io.holdfast.processing;

import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A synchronous handler that has exceeded its timeout. It is not interrupted, because an interrupt could close a
 * database.
 *
 * @param stack the stack trace of its thread
 */
public record SlowHandler(String component, UUID event, String type, Instant since, String stack) {

    static SlowHandler of(HandlerTask task, Instant since, Thread thread) {
        String stack =
                Arrays.stream(thread.getStackTrace()).map(Object::toString).collect(Collectors.joining("\n"));
        return new SlowHandler(
                task.component().id(), task.event().id(), task.event().type(), since, stack);
    }
}

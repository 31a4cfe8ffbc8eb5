package io.holdfast.wire;

import io.holdfast.PermanentException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The wire is up but cannot carry this event. The events before it in the batch were published. */
public final class UnpublishableEventException extends PermanentException {

    private final UUID event;

    public UnpublishableEventException(UUID event, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.event = event;
    }

    public UUID event() {
        return event;
    }
}

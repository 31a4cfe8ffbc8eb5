package io.holdfast.eventsourcing;

import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a request for a decision. Commands are idempotent by id: a repeated command returns the events that the
 * first one committed.
 *
 * @param id the command's id; the ids of its events are derived from it
 * @param repeatable whether the same command may be sent again; if so, it costs a lookup
 * @param metadata what its events inherit: correlation, saga, trace, custom strings
 */
public record Command(UUID id, boolean repeatable, Metadata metadata) {

    /** Returns a command that is not sent again. */
    public static Command once(Clock clock) {
        return new Command(EventIds.random(clock.instant()), false, Metadata.none());
    }

    /**
     * Returns a command with an idempotency key, which its sender may repeat.
     *
     * @param scope the namespace of the key, for example the endpoint and the caller
     */
    public static Command keyed(String scope, String key) {
        return new Command(EventIds.ofCommand(scope, key), true, Metadata.none());
    }

    /**
     * Returns a keyed command if the sender provided an idempotency key, otherwise one that is not sent again.
     *
     * @param key null if the sender provided none
     */
    public static Command optionallyKeyed(String scope, @Nullable String key, Clock clock) {
        return key == null ? once(clock) : keyed(scope, key);
    }

    /** Returns the same command in a saga. If it appends the event of step 0, it starts the saga. */
    public Command inSaga(String sagaType, String sagaId) {
        return with(Metadata.none().withSaga(sagaType, sagaId));
    }

    public Command with(Metadata more) {
        return new Command(id, repeatable, more.withDefaults(metadata));
    }
}

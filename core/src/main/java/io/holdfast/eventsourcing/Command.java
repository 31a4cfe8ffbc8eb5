package io.holdfast.eventsourcing;

import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Names a request to decide something. Two commands with one id are one command: the second is answered with what the
 * first left in the log.
 *
 * @param id of the command; the ids of its events are derived from it
 * @param repeatable whether the same command may come again, which costs a look-up
 * @param metadata what its events carry: correlation, saga, trace, own strings
 */
public record Command(UUID id, boolean repeatable, Metadata metadata) {

    /** A command that nobody will send again. */
    public static Command once(Clock clock) {
        return new Command(EventIds.random(clock.instant()), false, Metadata.none());
    }

    /**
     * A command that its sender names, for example by an {@code Idempotency-Key}, and may send again.
     *
     * @param scope what the key belongs to, for example the endpoint and the caller
     */
    public static Command keyed(String scope, String key) {
        return new Command(EventIds.ofCommand(scope, key), true, Metadata.none());
    }

    /**
     * A command of a request that may be named by its sender or not: keyed if it is, else one that nobody will send again.
     *
     * @param key null if the sender has said none
     */
    public static Command optionallyKeyed(String scope, @Nullable String key, Clock clock) {
        return key == null ? once(clock) : keyed(scope, key);
    }

    public Command with(Metadata more) {
        return new Command(id, repeatable, more.withDefaults(metadata));
    }
}

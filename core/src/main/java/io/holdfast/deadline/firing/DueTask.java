package io.holdfast.deadline.firing;

import java.time.Instant;
import java.util.Optional;

/**
 * Work that becomes due. It runs on the thread of the {@link Timekeeper}, on at most one replica unless a lease was lost
 * unnoticed, so everything that it does must be safe to do twice.
 */
@FunctionalInterface
public interface DueTask {

    /**
     * Does what is due.
     *
     * @param now the time on the deadline clock
     * @return when there is more to do; empty if nothing is known
     * @throws io.holdfast.event.UnsupportedHereException if only another version can do something that is due. The
     *     lease is released, so that a replica of that version can claim it.
     */
    Optional<Instant> run(Instant now);
}

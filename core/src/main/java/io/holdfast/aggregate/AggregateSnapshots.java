package io.holdfast.aggregate;

import io.holdfast.PermanentException;
import io.holdfast.event.EventType;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a snapshot is due, and what it holds. The name and revision of the state's class mark its shape: raise
 * {@code @EventType(revision = …)} on the state when its fields change meaning, and older snapshots are passed over.
 */
public final class AggregateSnapshots {

    private static final Logger log = LoggerFactory.getLogger(AggregateSnapshots.class);

    private AggregateSnapshots() {}

    /** The snapshot to keep after a key went from one version to another, if one is due. */
    public static <S> Optional<Snapshot> due(long fromVersion, AggregateState<S> reached, PayloadCodec codec) {
        int every = reached.type().snapshotEvery();
        if (every == 0 || fromVersion / every == reached.version() / every) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Snapshot(
                    reached.type().stream(), reached.key(), reached.version(), codec.encode(reached.state())));
        } catch (PermanentException e) {
            // A shortcut that cannot be kept must not stop the event that it was for.
            log.warn("No snapshot of {}/{}: {}", reached.type().stream(), reached.key(), e.getMessage());
            return Optional.empty();
        }
    }

    static boolean fits(AggregateType<?> type, Snapshot snapshot) {
        return snapshot.state().type().equals(EventType.Of.name(type.stateType()))
                && snapshot.state().revision() == EventType.Of.revision(type.stateType());
    }
}

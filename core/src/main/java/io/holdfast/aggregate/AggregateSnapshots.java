package io.holdfast.aggregate;

import io.holdfast.PermanentException;
import io.holdfast.event.EventType;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates snapshots when they are due. The name and revision of the state's class identify its shape: raise
 * {@code @EventType(revision = …)} on the state when the meaning of its fields changes, and older snapshots are
 * ignored.
 */
public final class AggregateSnapshots {

    private static final Logger log = LoggerFactory.getLogger(AggregateSnapshots.class);

    private AggregateSnapshots() {}

    /** Returns the snapshot to store after a key advanced from one version to another, if one is due. */
    public static <S> Optional<Snapshot> due(long fromVersion, AggregateState<S> reached, PayloadCodec codec) {
        int every = reached.type().snapshotEvery();
        if (every == 0 || fromVersion / every == reached.version() / every) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Snapshot(
                    reached.type().stream(), reached.key(), reached.version(), codec.encode(reached.state())));
        } catch (PermanentException e) {
            // A snapshot is only an optimization; its failure must not prevent the append.
            log.warn(
                    "Snapshot of {}/{} cannot be encoded and is skipped: {}",
                    reached.type().stream(),
                    reached.key(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    static boolean fits(AggregateType<?> type, Snapshot snapshot) {
        return snapshot.state().type().equals(EventType.Of.name(type.stateType()))
                && snapshot.state().revision() == EventType.Of.revision(type.stateType());
    }
}

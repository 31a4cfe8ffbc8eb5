package io.holdfast.aggregate.state;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventType;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import io.holdfast.event.SnapshotFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates snapshots when they are due. A snapshot is stored under the name and revision of the state's class and a hash
 * of the aggregate's {@linkplain AggregateType#shape shape}: {@code Stock#5c0e…}. One with another name, revision or hash is
 * ignored, and the events are folded instead. So two versions of a service never read each other's snapshots unless
 * both would have written the same one. Snapshots without a hash, from releases before this rule, are ignored too: their
 * shape is unknown.
 *
 * <p>The hash does not cover code. Raise {@code @EventType(revision = …)} on the state when a fold function computes
 * something else.
 *
 * <p>A key has one snapshot. While two versions run side by side, each overwrites the other's. Decisions stay correct;
 * loading a key that is not cached costs more until its next snapshot.
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
            Payload state = codec.encode(reached.state());
            Payload shaped = new Payload(shaped(state.type(), reached.type()), state.revision(), state.json());
            return Optional.of(new Snapshot(
                    reached.type().stream(), reached.key(), reached.version(), reached.lastEvent(), shaped));
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

    /** Returns the format of the snapshots that this version of the service can decode. */
    static SnapshotFormat format(AggregateType<?> type) {
        return new SnapshotFormat(
                shaped(EventType.Of.name(type.stateType()), type), EventType.Of.revision(type.stateType()));
    }

    private static String shaped(String stateName, AggregateType<?> type) {
        return stateName + "#" + type.shape();
    }
}

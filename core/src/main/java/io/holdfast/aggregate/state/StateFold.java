package io.holdfast.aggregate.state;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the state of one key up to date, page by page. Not thread-safe. */
final class StateFold<S> {

    private static final Logger log = LoggerFactory.getLogger(StateFold.class);

    private final PayloadCodec codec;
    private AggregateState<S> state;
    private boolean usesSnapshot = true;
    private boolean restarted;
    private boolean complete;

    /** @param from a known state; at version 0, the fold starts at the newest snapshot */
    StateFold(AggregateState<S> from, PayloadCodec codec) {
        this.state = from;
        this.codec = codec;
    }

    AggregateState<S> state() {
        return state;
    }

    /** Returns whether the log no longer contained the last event of the known state. */
    boolean isRestarted() {
        return restarted;
    }

    boolean isComplete() {
        return complete;
    }

    /** Returns what to read next. It includes the last event of a known state, to detect that the log has lost it. */
    KeyRead next() {
        String stream = state.type().stream();
        if (state.version() > 0) {
            return KeyRead.after(stream, state.key(), state.version() - 1);
        }
        return usesSnapshot
                ? KeyRead.from(stream, state.key(), AggregateSnapshots.format(state.type()))
                : KeyRead.after(stream, state.key(), 0);
    }

    /** @param limit the number of events up to which the history was read */
    void add(KeyHistory history, int limit) {
        Snapshot snapshot = history.snapshot();
        if (snapshot != null && !restore(snapshot)) {
            usesSnapshot = false;
            return;
        }
        if (state.version() > 0 && !startsWithLastEvent(history.events())) {
            usesSnapshot = snapshot == null && usesSnapshot;
            restarted = true;
            state = AggregateState.initial(state.type(), state.key());
            return;
        }
        for (EventMessage event : history.events()) {
            if (event.version() > state.version()) {
                state = state.evolve(event.id(), event.payload(), codec);
            }
        }
        complete = history.events().size() < limit;
    }

    private boolean startsWithLastEvent(List<EventMessage> events) {
        return !events.isEmpty()
                && events.get(0).version() == state.version()
                && (state.lastEvent() == null
                        || state.lastEvent().equals(events.get(0).id()));
    }

    private boolean restore(Snapshot snapshot) {
        AggregateType<S> type = state.type();
        try {
            S restored = codec.decode(snapshot.state(), type.stateType());
            state = new AggregateState<>(type, snapshot.key(), snapshot.version(), snapshot.lastEvent(), restored);
            return true;
        } catch (PermanentException e) {
            log.warn(
                    "Snapshot of {}/{} cannot be decoded, folding all events instead: {}",
                    snapshot.stream(),
                    snapshot.key(),
                    e.getMessage());
            return false;
        }
    }
}

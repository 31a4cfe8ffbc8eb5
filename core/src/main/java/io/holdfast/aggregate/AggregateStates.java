package io.holdfast.aggregate;

import io.holdfast.PermanentException;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The states of aggregates over the log: the most recently used are kept, the others loaded by snapshot and folding.
 * Only committed states are kept. For any number of threads.
 */
public final class AggregateStates {

    public static final int DEFAULT_CAPACITY = 10_000;

    private static final Logger log = LoggerFactory.getLogger(AggregateStates.class);
    private static final int PAGE = 500;

    private final EventLog eventLog;
    private final PayloadCodec codec;
    private final Map<AggregateKey, AggregateState<?>> cached;

    public AggregateStates(EventLog eventLog, PayloadCodec codec) {
        this(eventLog, codec, DEFAULT_CAPACITY);
    }

    /** @param capacity how many states are kept; 0 keeps none */
    public AggregateStates(EventLog eventLog, PayloadCodec codec, int capacity) {
        this.eventLog = eventLog;
        this.codec = codec;
        this.cached = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<AggregateKey, AggregateState<?>> eldest) {
                return size() > capacity;
            }
        };
    }

    /**
     * The newest committed state, whichever process committed it: a kept one is brought up to date by folding what came
     * after it.
     */
    public <S> AggregateState<S> newest(AggregateType<S> type, String key) {
        AggregateState<S> known = findCached(type, key).orElse(null);
        AggregateState<S> newest = fold(known == null ? fromSnapshot(type, key) : known);
        if (known == null || known.version() < newest.version()) {
            cache(List.of(newest));
        }
        return newest;
    }

    /** The kept state if there is one, without a look at the log; else the newest. It may be behind another process. */
    public <S> AggregateState<S> recent(AggregateType<S> type, String key) {
        return findCached(type, key).orElseGet(() -> newest(type, key));
    }

    /** Keeps committed states; one that is older than what is kept is passed over. */
    public synchronized void cache(Collection<? extends AggregateState<?>> states) {
        for (AggregateState<?> state : states) {
            cached.merge(
                    new AggregateKey(state.type().stream(), state.key()),
                    state,
                    (old, fresh) -> old.type() == fresh.type() && old.version() > fresh.version() ? old : fresh);
        }
    }

    /** Forgets states that turned out to be behind the log. */
    public synchronized void invalidate(Collection<AggregateKey> keys) {
        keys.forEach(cached::remove);
    }

    @SuppressWarnings("unchecked") // the same type object was used to put it there
    private synchronized <S> Optional<AggregateState<S>> findCached(AggregateType<S> type, String key) {
        AggregateState<?> state = cached.get(new AggregateKey(type.stream(), key));
        return state == null || state.type() != type ? Optional.empty() : Optional.of((AggregateState<S>) state);
    }

    private <S> AggregateState<S> fromSnapshot(AggregateType<S> type, String key) {
        AggregateState<S> initial = AggregateState.initial(type, key);
        return eventLog.findSnapshot(type.stream(), key)
                .flatMap(snapshot -> restore(type, snapshot))
                .orElse(initial);
    }

    private <S> Optional<AggregateState<S>> restore(AggregateType<S> type, Snapshot snapshot) {
        if (!AggregateSnapshots.fits(type, snapshot)) {
            return Optional.empty();
        }
        try {
            S state = codec.decode(snapshot.state(), type.stateType());
            return Optional.of(new AggregateState<>(type, snapshot.key(), snapshot.version(), state));
        } catch (PermanentException e) {
            log.warn(
                    "Snapshot of {}/{} is not used, all events are folded instead: {}",
                    snapshot.stream(),
                    snapshot.key(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private <S> AggregateState<S> fold(AggregateState<S> from) {
        AggregateState<S> state = from;
        List<EventMessage> page;
        do {
            page = eventLog.readKey(from.type().stream(), from.key(), state.version(), PAGE);
            for (EventMessage event : page) {
                state = state.evolve(event.payload(), codec);
            }
        } while (page.size() == PAGE);
        return state;
    }
}

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
 * Loads the states of aggregates from the log, by snapshot and folding, and caches the most recently used ones. Only
 * committed states are cached. Thread-safe.
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

    /** @param capacity the number of cached states; 0 disables the cache */
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
     * Returns the newest committed state, whichever replica committed it. A cached state is brought up to date by
     * folding the events after it.
     */
    public <S> AggregateState<S> newest(AggregateType<S> type, String key) {
        AggregateState<S> base = findCached(type, key).orElse(null);
        AggregateState<S> newest = fold(base == null ? fromSnapshot(type, key) : base);
        if (base == null || base.version() < newest.version()) {
            cache(List.of(newest));
        }
        return newest;
    }

    /**
     * Returns the cached state without a query, or the newest one if none is cached. It may be behind another
     * replica.
     */
    public <S> AggregateState<S> recent(AggregateType<S> type, String key) {
        return findCached(type, key).orElseGet(() -> newest(type, key));
    }

    /** Caches committed states, except those that are older than the cached ones. */
    public synchronized void cache(Collection<? extends AggregateState<?>> states) {
        for (AggregateState<?> state : states) {
            cached.merge(
                    new AggregateKey(state.type().stream(), state.key()),
                    state,
                    (old, fresh) -> old.type() == fresh.type() && old.version() > fresh.version() ? old : fresh);
        }
    }

    /** Removes cached states that are behind the log. */
    public synchronized void invalidate(Collection<AggregateKey> keys) {
        keys.forEach(cached::remove);
    }

    @SuppressWarnings("unchecked") // it was cached with the same type object
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
                    "Snapshot of {}/{} cannot be decoded, folding all events instead: {}",
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

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
     * Returns the newest committed state, whichever replica committed it. A cached state, or a snapshot, is brought up to
     * date by folding the events after it, unless the log no longer contains its last event.
     */
    public <S> AggregateState<S> newest(AggregateType<S> type, String key) {
        AggregateState<S> cachedState = findCached(type, key).orElse(null);
        AggregateState<S> newest =
                cachedState == null ? null : fold(cachedState).orElse(null);
        if (newest == null) {
            invalidate(List.of(new AggregateKey(type.stream(), key))); // its last event is lost
            newest = load(type, key);
        }
        cache(List.of(newest));
        return newest;
    }

    private <S> AggregateState<S> load(AggregateType<S> type, String key) {
        return eventLog.findSnapshot(type.stream(), key)
                .flatMap(snapshot -> restore(type, snapshot))
                .flatMap(this::fold)
                .or(() -> fold(AggregateState.initial(type, key)))
                .orElseThrow();
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

    /** Removes all cached states, because the log has lost events. */
    public synchronized void invalidateAll() {
        cached.clear();
    }

    @SuppressWarnings("unchecked") // it was cached with the same type object
    private synchronized <S> Optional<AggregateState<S>> findCached(AggregateType<S> type, String key) {
        AggregateState<?> state = cached.get(new AggregateKey(type.stream(), key));
        return state == null || state.type() != type ? Optional.empty() : Optional.of((AggregateState<S>) state);
    }

    private <S> Optional<AggregateState<S>> restore(AggregateType<S> type, Snapshot snapshot) {
        if (!AggregateSnapshots.fits(type, snapshot)) {
            return Optional.empty();
        }
        try {
            S state = codec.decode(snapshot.state(), type.stateType());
            return Optional.of(
                    new AggregateState<>(type, snapshot.key(), snapshot.version(), snapshot.lastEvent(), state));
        } catch (PermanentException e) {
            log.warn(
                    "Snapshot of {}/{} cannot be decoded, folding all events instead: {}",
                    snapshot.stream(),
                    snapshot.key(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Reads the last event of the state together with those after it.
     *
     * @return empty if the log contains another event at the state's version, or none
     */
    private <S> Optional<AggregateState<S>> fold(AggregateState<S> from) {
        AggregateState<S> state = from;
        long after = Math.max(0, from.version() - 1);
        List<EventMessage> page;
        do {
            page = eventLog.readKey(from.type().stream(), from.key(), after, PAGE);
            if (after < from.version() && !startsWith(page, from)) {
                return Optional.empty();
            }
            for (EventMessage event : page) {
                if (event.version() > state.version()) {
                    state = state.evolve(event.id(), event.payload(), codec);
                }
            }
            after = state.version();
        } while (page.size() == PAGE);
        return Optional.of(state);
    }

    private static boolean startsWith(List<EventMessage> page, AggregateState<?> state) {
        return !page.isEmpty()
                && page.get(0).version() == state.version()
                && (state.lastEvent() == null
                        || state.lastEvent().equals(page.get(0).id()));
    }
}

package io.holdfast.aggregate.state;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventReader;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.PayloadCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the states of aggregates from the log, by snapshot and folding, and caches the most recently used ones. Only
 * committed states are cached. Thread-safe.
 */
public final class AggregateStates {

    public static final int DEFAULT_CAPACITY = 10_000;

    private static final Logger log = LoggerFactory.getLogger(AggregateStates.class);
    /** The largest number of events of one key that are read at once. */
    private static final int PAGE = 500;
    /** The largest number of events of many keys that are read at once, unless it leaves too few for each. */
    private static final int BULK_PAGE = 5_000;

    private static final int MIN_PAGE = 50;

    private final EventLog eventLog;
    private final PayloadCodec codec;
    private final int capacity;
    private final Map<AggregateKey, AggregateState<?>> cached;
    private final Map<String, AggregateType<?>> types = new ConcurrentHashMap<>();

    public AggregateStates(EventLog eventLog, PayloadCodec codec) {
        this(eventLog, codec, DEFAULT_CAPACITY);
    }

    /** @param capacity the number of cached states; 0 disables the cache */
    public AggregateStates(EventLog eventLog, PayloadCodec codec, int capacity) {
        this.eventLog = eventLog;
        this.codec = codec;
        this.capacity = capacity;
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
        return newest(type, key, eventLog);
    }

    /** Does the same, and reads from the given reader. */
    public <S> AggregateState<S> newest(AggregateType<S> type, String key, EventReader reader) {
        types.put(type.stream(), type);
        AggregateState<S> base = findCached(type, key).orElseGet(() -> AggregateState.initial(type, key));
        StateFold<S> fold = new StateFold<>(base, codec);
        while (!fold.isComplete()) {
            reader.readKeys(List.of(fold.next()), PAGE).forEach(history -> fold.add(history, PAGE));
        }
        if (fold.isRestarted()) {
            invalidate(List.of(base.aggregateKey())); // its last event is lost
        }
        cache(List.of(fold.state()));
        return fold.state();
    }

    /**
     * Brings any number of states up to date, with one query unless histories are long. A state that cannot be folded
     * is left out: loading it alone throws.
     */
    public List<AggregateState<?>> newest(Collection<? extends AggregateState<?>> known, EventReader reader) {
        Map<AggregateKey, StateFold<?>> open = new LinkedHashMap<>();
        known.forEach(state -> open.put(state.aggregateKey(), new StateFold<>(state, codec)));
        List<AggregateState<?>> newest = new ArrayList<>();
        while (!open.isEmpty()) {
            int limit = Math.max(MIN_PAGE, Math.min(PAGE, BULK_PAGE / open.size()));
            List<KeyRead> reads = open.values().stream().map(StateFold::next).toList();
            for (KeyHistory history : reader.readKeys(reads, limit)) {
                AggregateKey key = new AggregateKey(history.stream(), history.key());
                StateFold<?> fold = Objects.requireNonNull(open.get(key));
                if (!canAdd(history, limit, fold)) {
                    open.remove(key);
                } else if (fold.isComplete()) {
                    open.remove(key);
                    newest.add(fold.state());
                }
            }
        }
        cache(newest);
        return newest;
    }

    private static boolean canAdd(KeyHistory history, int limit, StateFold<?> fold) {
        try {
            fold.add(history, limit);
            return true;
        } catch (RuntimeException e) {
            log.debug("{}/{} cannot be folded: {}", history.stream(), history.key(), e.toString());
            return false;
        }
    }

    /**
     * Returns the cached state without a query, or the newest one if none is cached. It may be behind another
     * replica.
     */
    public <S> AggregateState<S> recent(AggregateType<S> type, String key, EventReader reader) {
        return findCached(type, key).orElseGet(() -> newest(type, key, reader));
    }

    /** Returns the cached state, which may be behind another replica. */
    public <S> Optional<AggregateState<S>> findRecent(AggregateType<S> type, String key) {
        types.put(type.stream(), type);
        return findCached(type, key);
    }

    /** Loads states that are not cached, with one query, if their aggregate types are known. */
    public void prefetch(Collection<AggregateKey> keys, EventReader reader) {
        List<AggregateState<?>> missing = new ArrayList<>();
        for (AggregateKey key : Set.copyOf(keys)) {
            AggregateType<?> type = types.get(key.stream());
            if (type != null && findCached(type, key.key()).isEmpty()) {
                missing.add(AggregateState.initial(type, key.key()));
            }
        }
        if (missing.size() > 1 && missing.size() <= capacity) {
            newest(missing, reader);
        }
    }

    /** Caches committed states, except those that are older than the cached ones. */
    public synchronized void cache(Collection<? extends AggregateState<?>> states) {
        for (AggregateState<?> state : states) {
            cached.merge(
                    state.aggregateKey(),
                    state,
                    (old, fresh) -> old.type() == fresh.type() && old.version() > fresh.version() ? old : fresh);
        }
    }

    /** Removes all cached states, because the log has lost events. */
    public synchronized void invalidateAll() {
        cached.clear();
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
}

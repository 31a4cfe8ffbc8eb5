package io.holdfast.aggregate;

import io.holdfast.PermanentException;
import io.holdfast.event.EventType;
import io.holdfast.event.Names;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Folds the events of one stream into a state: an initial state and, for each event type, a pure function from state
 * and event to the next state. Immutable and thread-safe.
 *
 * <pre>{@code
 * static final AggregateType<Stock> STOCK = AggregateType.of("products", Stock.class, new Stock(0))
 *         .on(StockAdded.class, (stock, event) -> new Stock(stock.quantity() + event.quantity()))
 *         .on(StockReserved.class, (stock, event) -> new Stock(stock.quantity() - event.quantity()))
 *         .build();
 * }</pre>
 *
 * <p>Folding fails on an event type that is neither handled nor ignored, and on a higher revision than that of the
 * event's class, because a state that silently lacks an event would lead to wrong decisions. Another version of the
 * service has written such an event, so the failure is an {@link UnsupportedHereException}. A decision that appends an
 * event which its own aggregate does not fold is a mistake, and fails with a {@link PermanentException}.
 *
 * @param <S> the state, immutable
 */
public final class AggregateType<S> {

    public static final int DEFAULT_SNAPSHOT_EVERY = 500;

    private final String stream;
    private final Class<S> stateType;
    private final S initial;
    private final int snapshotEvery;
    private final Map<String, Evolution<S, ?>> evolutions;
    private final Set<String> ignored;
    private final boolean ignoresAll;
    private final String shape;

    private AggregateType(Builder<S> builder) {
        this.stream = builder.stream;
        this.stateType = builder.stateType;
        this.initial = builder.initial;
        this.snapshotEvery = builder.snapshotEvery;
        this.evolutions = Map.copyOf(builder.evolutions);
        this.ignored = Set.copyOf(builder.ignored);
        this.ignoresAll = builder.ignoresAll;
        this.shape = StateShape.hash(stateType, evolutions.values().stream().map(Evolution::eventType), ignored);
    }

    /**
     * @param stream the stream of the aggregate's events, owned by this service
     * @param initial the state before the first event
     */
    public static <S> Builder<S> of(String stream, Class<S> stateType, S initial) {
        return new Builder<>(stream, stateType, initial);
    }

    public String stream() {
        return stream;
    }

    /** Returns the class that snapshots are decoded to. */
    public Class<S> stateType() {
        return stateType;
    }

    public S initial() {
        return initial;
    }

    /**
     * Returns the snapshot interval: a snapshot is stored when a key's version passes a multiple of it; 0 for never.
     */
    public int snapshotEvery() {
        return snapshotEvery;
    }

    /** Returns a hash of what the meaning of a snapshot depends on: the classes of the state and of the events. */
    public String shape() {
        return shape;
    }

    /**
     * Returns the state after a stored event.
     *
     * @throws UnsupportedHereException if this version of the service cannot fold it
     */
    public S evolve(S state, Payload event, PayloadCodec codec) {
        return evolve(state, event, codec, () -> "an event of stream " + stream);
    }

    /** @param subject names the event, for messages */
    public S evolve(S state, Payload event, PayloadCodec codec, Supplier<String> subject) {
        Payload current = codec.upcast(event);
        Evolution<S, ?> evolution = evolutions.get(current.type());
        if (evolution != null) {
            if (codec.isAbove(event, evolution.eventType())) {
                codec.requireKnownRevision(event, evolution.eventType(), subject.get());
            }
            return evolution.apply(state, current, codec);
        }
        if (ignores(current)) {
            return state;
        }
        throw new UnsupportedHereException(
                subject.get() + " has type " + current.type() + ", which its aggregate does not know",
                "Start that version, or " + remedy(current) + " to the aggregate");
    }

    /**
     * Checks an event that a decision is about to append. Unlike a stored one, it cannot come from another version.
     *
     * @throws PermanentException if this aggregate does not fold it
     */
    public void requireFolds(Payload event, PayloadCodec codec, String key) {
        Payload current = codec.upcast(event);
        Evolution<S, ?> evolution = evolutions.get(current.type());
        boolean folds = evolution == null ? ignores(current) : !codec.isAbove(event, evolution.eventType());
        if (!folds) {
            throw new PermanentException("a decision appends " + current.type() + " to " + stream + "/" + key
                    + ", but the aggregate does not fold this event type; " + remedy(current));
        }
    }

    private boolean ignores(Payload event) {
        return ignoresAll || ignored.contains(event.type());
    }

    private static String remedy(Payload event) {
        return "add on(…) or ignoring(\"" + event.type() + "\")";
    }

    private record Evolution<S, E>(Class<E> eventType, BiFunction<S, E, S> next) {

        S apply(S state, Payload event, PayloadCodec codec) {
            return next.apply(state, codec.decode(event, eventType));
        }
    }

    @Override
    public String toString() {
        return "aggregate of stream " + stream;
    }

    /** @param <S> the state */
    public static final class Builder<S> {

        private final String stream;
        private final Class<S> stateType;
        private final S initial;
        private final Map<String, Evolution<S, ?>> evolutions = new HashMap<>();
        private final Set<String> ignored = new HashSet<>();
        private boolean ignoresAll;
        private int snapshotEvery = DEFAULT_SNAPSHOT_EVERY;

        private Builder(String stream, Class<S> stateType, S initial) {
            this.stream = Names.require("stream", stream);
            this.stateType = stateType;
            this.initial = initial;
        }

        public <E> Builder<S> on(Class<E> eventType, BiFunction<S, E, S> next) {
            String name = EventType.Of.name(eventType);
            if (evolutions.put(name, new Evolution<>(eventType, next)) != null) {
                throw new PermanentException("stream " + stream + " folds event type " + name + " twice; remove one");
            }
            return this;
        }

        /** Declares event types that do not change the state. */
        public Builder<S> ignoring(String... eventTypes) {
            ignored.addAll(Set.of(eventTypes));
            return this;
        }

        /** Declares that other event types do not change the state, whatever they are. */
        public Builder<S> ignoringAll() {
            this.ignoresAll = true;
            return this;
        }

        public Builder<S> snapshotEvery(int events) {
            if (events < 0) {
                throw new PermanentException(
                        "snapshotEvery of stream " + stream + " must be 0 or more, but is " + events);
            }
            this.snapshotEvery = events;
            return this;
        }

        public AggregateType<S> build() {
            return new AggregateType<>(this);
        }
    }
}

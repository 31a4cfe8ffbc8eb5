package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventType;
import io.holdfast.event.Names;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handlers that belong together, by event type. The name is part of the id under which its effects are recognised: it
 * stays the same for as long as the component's events exist.
 */
public final class Component {

    private final String name;
    private final String stableName;
    private final boolean resettable;
    private final boolean callsOutside;
    private final @Nullable Object rowsIn;
    private final @Nullable String breaker;
    private final QueueConfiguration deadLetters;
    private final Map<String, Invocation> handlers;

    private Component(Builder builder) {
        this.name = builder.name;
        this.stableName = builder.stableName;
        this.resettable = builder.resettable;
        this.callsOutside = builder.callsOutside;
        this.rowsIn = builder.rowsIn;
        this.breaker = builder.breaker;
        this.deadLetters = builder.deadLetters;
        this.handlers = Map.copyOf(builder.handlers);
    }

    public static Builder named(String name) {
        return new Builder(name);
    }

    /**
     * The {@link EventHandler} methods of a plain object, its own and inherited ones, whatever their visibility.
     *
     * @throws PermanentException if there is none, or something is wrong with them; it names all of it at once
     */
    public static Builder of(String name, Object handlers) {
        Builder builder = named(name);
        AnnotatedHandlers.addTo(builder, name, handlers.getClass(), () -> handlers);
        return builder;
    }

    /**
     * The {@link EventHandler} methods of an object that is not there yet.
     *
     * @param type what is looked at: the object's class, or one above it
     * @param handlers gives the object, for each event
     * @throws PermanentException if there is no such method, or something is wrong with them; it names all of it at once
     */
    public static <T> Builder of(String name, Class<T> type, Supplier<? extends T> handlers) {
        Builder builder = named(name);
        AnnotatedHandlers.addTo(builder, name, type, handlers);
        return builder;
    }

    public String name() {
        return name;
    }

    /** The name that its id is made of: the one it had first. */
    public String stableName() {
        return stableName;
    }

    public boolean isResettable() {
        return resettable;
    }

    public boolean callsOutside() {
        return callsOutside;
    }

    /** Where its rows are, if it keeps any of its own. */
    public Optional<Object> rowsIn() {
        return Optional.ofNullable(rowsIn);
    }

    /** The circuit breaker that its handlers are called through, if there is one. */
    public Optional<String> breaker() {
        return Optional.ofNullable(breaker);
    }

    /** What it says of its own queue. */
    QueueConfiguration deadLetters() {
        return deadLetters;
    }

    /** Whether there is a handler for this payload. */
    boolean handles(Payload upcasted) {
        return handlers.containsKey(upcasted.type());
    }

    /**
     * Runs the handler of an event.
     *
     * @return when it ends; null if it has
     */
    @Nullable
    CompletionStage<?> invoke(EventMessage event, PayloadCodec codec, EventContext context) throws Exception {
        Payload payload = codec.upcast(event.payload());
        Invocation invocation = handlers.get(payload.type());
        return invocation == null ? null : invocation.invoke(payload, codec, context);
    }

    /**
     * Runs the handler of an event and collects its effects, waiting for it if it ends later. What the engine does step by
     * step, for tests of a component alone.
     *
     * @param componentId this component's stable id
     * @return empty if no handler is for this type of event
     */
    public Optional<Part> handle(EventMessage event, String componentId, PayloadCodec codec) {
        if (!handles(codec.upcast(event.payload()))) {
            return Optional.empty();
        }
        CollectingContext context = new CollectingContext(event, new PartId(event.id(), componentId), null, null);
        try {
            CompletionStage<?> stage = invoke(event, codec, context);
            if (stage != null) {
                stage.toCompletableFuture().join();
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CompletionException(e);
        }
        return Optional.of(context.close());
    }

    /** One handler, whatever its shape. */
    interface Invocation {

        /** @return when it ends; null if it has */
        @Nullable
        CompletionStage<?> invoke(Payload payload, PayloadCodec codec, EventContext context) throws Exception;
    }

    /** Collects the handlers of a component, and says what it is. */
    public static final class Builder {

        private final String name;
        private final Map<String, Invocation> handlers = new TreeMap<>();
        private String stableName;
        private boolean resettable;
        private boolean callsOutside;
        private @Nullable Object rowsIn;
        private @Nullable String breaker;
        private final QueueConfiguration deadLetters = new QueueConfiguration();

        private Builder(String name) {
            this.name = Names.require("name of component", name);
            this.stableName = name;
        }

        public <E> Builder on(Class<E> eventType, Handler<E> handler) {
            return on(EventType.Of.name(eventType), (payload, codec, context) -> {
                handler.handle(codec.decode(payload, eventType), context);
                return null;
            });
        }

        /** For work that ends later, such as calls to the outside. */
        public <E> Builder onAsync(Class<E> eventType, AsyncHandler<E> handler) {
            return on(EventType.Of.name(eventType), (payload, codec, context) -> {
                CompletionStage<?> stage = handler.handle(codec.decode(payload, eventType), context);
                if (stage == null) {
                    throw new PermanentException("the asynchronous handler of " + payload.type() + " in component "
                            + name + " gave null instead of a stage");
                }
                return stage;
            });
        }

        Builder on(String type, Invocation invocation) {
            if (handlers.put(type, invocation) != null) {
                throw new PermanentException(
                        "component " + name + " handles event type " + type + " twice; remove one");
            }
            return this;
        }

        /** The component was renamed: its effects, positions and letters stay those of the first name it had. */
        public Builder formerly(String firstName) {
            this.stableName = Names.require("former name of component", firstName);
            return this;
        }

        /**
         * Handling all events again is right: what it does, done twice, is as done once. Without this its processor cannot
         * be reset.
         */
        public Builder resettable() {
            this.resettable = true;
            return this;
        }

        /**
         * It calls something that the committer cannot undo. The next event of a sequence is handled only when the one
         * before is committed, and its processor must say where it starts.
         */
        public Builder callsOutside() {
            this.callsOutside = true;
            return this;
        }

        /**
         * It writes rows of its own, by {@link EventContext#resource}, in a transaction that carries its effects and the
         * position along. Its handlers are synchronous.
         *
         * @param resource where the rows are: the DataSource that the service's store is in. Another one is refused at the
         *     start, since what is written there could not be committed together with the position
         */
        public Builder rowsIn(Object resource) {
            this.rowsIn = resource;
            return this;
        }

        /**
         * Handlers are called through the circuit breaker of this name. While it is open nothing is attempted: events are
         * held, without spending an attempt.
         */
        public Builder guardedBy(String breakerName) {
            this.breaker = Names.require("name of breaker", breakerName);
            return this;
        }

        /** How what it fails at is parked, where that differs from what the processor or the service says. */
        public Builder deadLetters(Consumer<QueueConfiguration> configure) {
            configure.accept(deadLetters);
            return this;
        }

        public Component build() {
            if (resettable && callsOutside) {
                throw new PermanentException(
                        "component " + name + " calls outside, which is never as done once; it cannot be replayable");
            }
            return new Component(this);
        }
    }
}

package io.holdfast.handling;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventType;
import io.holdfast.event.Names;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.token.ComponentDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A set of handlers, one per event type. Its name is part of the id under which its effects are deduplicated, so it
 * must not change while the component's events exist.
 */
public final class Component {

    private final String name;
    private final String stableName;
    private final boolean resettable;
    private final boolean callsOutside;
    private final @Nullable Object rowsIn;
    private final @Nullable String breaker;
    private final RetryOverrides retry;
    private final @Nullable Recovery recovery;
    private final QueueConfiguration deadLetters;
    private final Map<String, Invocation> handlers;
    private final Map<String, Class<?>> eventTypes;
    private final Set<String> retiredTypes;
    private final Set<String> sagaTypes;
    private final Set<String> retiredSagaTypes;

    private Component(Builder builder) {
        this.name = builder.name;
        this.stableName = builder.stableName;
        this.resettable = builder.resettable;
        this.callsOutside = builder.callsOutside;
        this.rowsIn = builder.rowsIn;
        this.breaker = builder.breaker;
        this.retry = builder.retry;
        this.recovery = builder.recovery;
        this.deadLetters = builder.deadLetters;
        this.handlers = Map.copyOf(builder.handlers);
        this.eventTypes = Map.copyOf(builder.eventTypes);
        this.retiredTypes = Set.copyOf(builder.retiredTypes);
        this.sagaTypes = Set.copyOf(builder.sagaTypes);
        this.retiredSagaTypes = Set.copyOf(builder.retiredSagaTypes);
    }

    public static Builder named(String name) {
        return new Builder(name);
    }

    /**
     * Builds a component from the {@link EventHandler} methods of a plain object, its own and inherited ones, of any
     * visibility.
     *
     * @throws PermanentException if no method is annotated, or some are invalid; the message lists every mistake
     */
    public static Builder of(String name, Object handlers) {
        Builder builder = named(name);
        AnnotatedHandlers.addTo(builder, name, handlers.getClass(), () -> handlers);
        return builder;
    }

    /**
     * Builds a component from the {@link EventHandler} methods of an object that does not exist yet.
     *
     * @param type the class to inspect: the object's class or a supertype
     * @param handlers supplies the object, for each event
     * @throws PermanentException if there is no such method, or some are invalid; the message lists every mistake
     */
    public static <T> Builder of(String name, Class<T> type, Supplier<? extends T> handlers) {
        Builder builder = named(name);
        AnnotatedHandlers.addTo(builder, name, type, handlers);
        return builder;
    }

    public String name() {
        return name;
    }

    /** Returns the name that its id is derived from: the first name it had. */
    public String stableName() {
        return stableName;
    }

    public boolean isResettable() {
        return resettable;
    }

    public boolean callsOutside() {
        return callsOutside;
    }

    /** Returns where the component writes application rows, if it does. */
    public Optional<Object> rowsIn() {
        return Optional.ofNullable(rowsIn);
    }

    /** Returns the circuit breaker that guards the handlers, if any. */
    public Optional<String> breaker() {
        return Optional.ofNullable(breaker);
    }

    /** Returns the component's own retry settings, which those of its instance override. */
    public RetryOverrides retry() {
        return retry;
    }

    /** Returns what handles an event that finally failed, if anything does. Otherwise it becomes PENDING. */
    public Optional<Recovery> recovery() {
        return Optional.ofNullable(recovery);
    }

    /** Returns the component's own settings of its dead-letter queue. */
    public QueueConfiguration deadLetters() {
        return deadLetters;
    }

    /**
     * Returns what the component handles, as its definition lists it: the types that it has handlers for, and the
     * revisions of other types that upcasters turn into these.
     */
    public Set<String> handledTypes(PayloadCodec codec) {
        Set<String> types = new TreeSet<>(handlers.keySet());
        codec.revisionsUpcastTo(handlers.keySet()).stream()
                .filter(source -> !types.contains(source.type()))
                .forEach(source -> types.add(ComponentDefinition.revisionOf(source.type(), source.revision())));
        return types;
    }

    /** Returns the event types that the component has no longer a handler for, on purpose. */
    public Set<String> retiredTypes() {
        return retiredTypes;
    }

    /** Returns the saga types whose events the component handles; empty if it handles all events. */
    public Set<String> sagaTypes() {
        return sagaTypes;
    }

    /** Returns the saga types whose events the component no longer handles, on purpose. */
    public Set<String> retiredSagaTypes() {
        return retiredSagaTypes;
    }

    /** Returns whether the event belongs to a saga that the component is limited to, if it is limited to any. */
    public boolean wants(EventMessage event) {
        return sagaTypes.isEmpty()
                || event.metadata().sagaType().filter(sagaTypes::contains).isPresent();
    }

    /** Returns whether the component has a handler for this payload. */
    public boolean handles(Payload upcasted) {
        return handlers.containsKey(upcasted.type());
    }

    /**
     * Requires that the handler of a payload can decode it, and that it can be stored.
     *
     * @throws io.holdfast.PermanentException if not, with the reason
     */
    public void requireReadable(Payload payload, PayloadCodec codec) {
        Payload upcasted = codec.upcast(codec.encode(payload));
        codec.decode(upcasted, eventTypes.getOrDefault(upcasted.type(), Object.class));
    }

    /**
     * Calls the handler of an event.
     *
     * @return the stage that completes when the handler ends; null if it has ended already
     */
    @Nullable
    public CompletionStage<?> invoke(EventMessage event, PayloadCodec codec, EventContext context) throws Exception {
        Payload payload = codec.upcast(event.payload());
        Invocation invocation = handlers.get(payload.type());
        return invocation == null ? null : invocation.invoke(payload, codec, context);
    }

    /** A handler, synchronous or asynchronous. */
    interface Invocation {

        /** @return the stage that completes when the handler ends; null if it has ended already */
        @Nullable
        CompletionStage<?> invoke(Payload payload, PayloadCodec codec, EventContext context) throws Exception;
    }

    /** Declares the handlers of a component and its properties. */
    public static final class Builder {

        private final String name;
        private final Map<String, Invocation> handlers = new TreeMap<>();
        private final Map<String, Class<?>> eventTypes = new TreeMap<>();
        private final Set<String> retiredTypes = new TreeSet<>();
        private final Set<String> sagaTypes = new TreeSet<>();
        private final Set<String> retiredSagaTypes = new TreeSet<>();
        private String stableName;
        private boolean resettable;
        private boolean callsOutside;
        private @Nullable Object rowsIn;
        private @Nullable String breaker;
        private RetryOverrides retry = RetryOverrides.NONE;
        private @Nullable Recovery recovery;
        private final QueueConfiguration deadLetters = new QueueConfiguration();

        private Builder(String name) {
            this.name = Names.require("name of component", name);
            this.stableName = name;
        }

        public <E> Builder on(Class<E> eventType, Handler<E> handler) {
            return decoding(EventType.Of.name(eventType), eventType)
                    .on(EventType.Of.name(eventType), (payload, codec, context) -> {
                        handler.handle(codec.decode(payload, eventType), context);
                        return null;
                    });
        }

        /** Registers an asynchronous handler, for example for calls to external systems. */
        public <E> Builder onAsync(Class<E> eventType, AsyncHandler<E> handler) {
            return decoding(EventType.Of.name(eventType), eventType)
                    .on(
                            EventType.Of.name(eventType),
                            (payload, codec, context) ->
                                    requireStage(payload, handler.handle(codec.decode(payload, eventType), context)));
        }

        /**
         * Registers a handler by the name of the event type, for events that this service has no class for. It gets the
         * payload after upcasting.
         */
        public Builder on(String eventType, Handler<Payload> handler) {
            return on(eventType, (payload, codec, context) -> {
                handler.handle(payload, context);
                return null;
            });
        }

        /**
         * Registers an asynchronous handler by the name of the event type, for events that this service has no class
         * for. It gets the payload after upcasting.
         */
        public Builder onAsync(String eventType, AsyncHandler<Payload> handler) {
            return on(eventType, (payload, codec, context) -> requireStage(payload, handler.handle(payload, context)));
        }

        private CompletionStage<?> requireStage(Payload payload, @Nullable CompletionStage<?> stage) {
            if (stage == null) {
                throw new PermanentException("the asynchronous handler of " + payload.type() + " in component " + name
                        + " returned null instead of a CompletionStage");
            }
            return stage;
        }

        /** Registers the class as which the handler decodes an event type. */
        Builder decoding(String type, Class<?> eventType) {
            eventTypes.put(type, eventType);
            return this;
        }

        Builder on(String type, Invocation invocation) {
            if (handlers.put(type, invocation) != null) {
                throw new PermanentException(
                        "component " + name + " handles event type " + type + " twice; remove one");
            }
            return this;
        }

        /** Declares that the component was renamed. Its effects, positions and letters stay under its first name. */
        public Builder formerly(String firstName) {
            this.stableName = Names.require("former name of component", firstName);
            return this;
        }

        /**
         * Declares event types that the component has no longer a handler for. Takes effect once no running replica has
         * one: events of these types are then skipped, and letters that only waited for such a handler are resolved.
         * Without this, they wait for a version that has the handler.
         */
        public Builder retires(String... eventTypes) {
            retiredTypes.addAll(List.of(eventTypes));
            return this;
        }

        /**
         * Limits the component to events of sagas of these types. Events of other sagas, and events outside any saga, are
         * skipped as if the component had no handler. Without this, it handles all events. If a running or earlier
         * version handles more, also declare {@link #retiresSagaTypes}.
         */
        public Builder sagaTypes(String... types) {
            for (String type : types) {
                sagaTypes.add(Names.require("saga type of component " + name, type));
            }
            return this;
        }

        /**
         * Declares saga types that an earlier version of the component handled and {@link #sagaTypes} no longer names;
         * {@code *} if that version handled all events. Takes effect once no running replica handles them: their events
         * are then skipped, and letters that only waited are resolved. Without this, they wait for that version.
         */
        public Builder retiresSagaTypes(String... types) {
            for (String type : types) {
                retiredSagaTypes.add(Names.require("retired saga type of component " + name, type));
            }
            return this;
        }

        /**
         * Declares that the component is idempotent: it may handle all events again. Without this its processor cannot
         * be reset.
         */
        public Builder resettable() {
            this.resettable = true;
            return this;
        }

        /**
         * Declares that the component calls external systems, which the committer cannot roll back. The next event of a
         * sequence is handled only after the previous one is committed, and the processor must declare its start.
         */
        public Builder callsOutside() {
            this.callsOutside = true;
            return this;
        }

        /**
         * Declares that the component writes application rows with {@link EventContext#resource}, in the transaction
         * that also commits its effects and the position. Its handlers must be synchronous.
         *
         * @param resource the DataSource of the service's store. Any other is rejected at startup, because rows written
         *     there could not be committed together with the position
         */
        public Builder rowsIn(Object resource) {
            this.rowsIn = resource;
            return this;
        }

        /**
         * Guards the component by the circuit breaker of this name, which records whole attempts: the handler, its
         * decisions and the commit. While it is open, no handler is called: events are HELD and spend no attempt.
         */
        public Builder guardedBy(String breakerName) {
            this.breaker = Names.require("name of breaker", breakerName);
            return this;
        }

        /**
         * Sets the component's own retry settings. They override the defaults, and the properties
         * {@code framework.resilience.instances.<name>.retry.*} override them; the name is that of the breaker, or of
         * the component if it has none.
         */
        public Builder retry(RetryOverrides overrides) {
            this.retry = overrides;
            return this;
        }

        /**
         * Runs this recovery for an event that finally failed, instead of making it PENDING: its effects are committed
         * as those of the event, and later events of the sequence continue. Not for a component that writes application
         * rows.
         */
        public Builder recoverWith(Recovery newRecovery) {
            this.recovery = newRecovery;
            return this;
        }

        /** Overrides the dead-letter settings of the processor and the service for this component. */
        public Builder deadLetters(Consumer<QueueConfiguration> configure) {
            configure.accept(deadLetters);
            return this;
        }

        public Component build() {
            if (resettable && callsOutside) {
                throw new PermanentException("component " + name
                        + " calls external systems, which is not idempotent; it cannot be resettable");
            }
            retry.requireValid("component " + name + ": retry.");
            if (recovery != null && rowsIn != null) {
                throw new PermanentException("component " + name
                        + " has a recovery and writes application rows, but the rows of a failed handler are rolled"
                        + " back and a recovery has no transaction; remove recoverWith(…) or rowsIn(…)");
            }
            retiredTypes.stream().filter(handlers::containsKey).findFirst().ifPresent(type -> {
                throw new PermanentException("component " + name + " retires event type " + type
                        + " and has a handler for it; remove one of the two");
            });
            checkSagaTypes();
            return new Component(this);
        }

        private void checkSagaTypes() {
            if (sagaTypes.contains(ComponentDefinition.ALL)) {
                throw new PermanentException(
                        "component " + name + " cannot be limited to saga type " + ComponentDefinition.ALL
                                + ", which stands for all events; omit sagaTypes to handle all events");
            }
            if (sagaTypes.isEmpty() && !retiredSagaTypes.isEmpty()) {
                throw new PermanentException("component " + name + " retires saga types " + retiredSagaTypes
                        + " and handles the events of all sagas; declare sagaTypes, or remove retiresSagaTypes");
            }
            retiredSagaTypes.stream().filter(sagaTypes::contains).findFirst().ifPresent(type -> {
                throw new PermanentException("component " + name + " retires saga type " + type
                        + " and is limited to it; remove one of the two");
            });
        }
    }
}

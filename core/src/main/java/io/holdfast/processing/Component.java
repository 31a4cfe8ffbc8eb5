package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventType;
import io.holdfast.event.Metadata;
import io.holdfast.event.Names;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Handlers that belong together, by event type. The name is part of the id under which its effects are recognised: it
 * stays the same for as long as the component's events exist.
 */
public final class Component {

    private final String name;
    private final Map<String, TypedHandler<?>> handlers;

    private Component(Builder builder) {
        this.name = builder.name;
        this.handlers = Map.copyOf(builder.handlers);
    }

    public static Builder named(String name) {
        return new Builder(name);
    }

    public String name() {
        return name;
    }

    /**
     * Runs the handler for an event and collects its effects.
     *
     * @param componentId this component's stable id
     * @return empty if no handler is for this type of event
     */
    public Optional<Part> handle(EventMessage event, String componentId, PayloadCodec codec) {
        Payload payload = codec.upcast(event.payload());
        TypedHandler<?> handler = handlers.get(payload.type());
        if (handler == null) {
            return Optional.empty();
        }
        CollectingContext context = new CollectingContext(event, new PartId(event.id(), componentId));
        handler.handle(payload, codec, context);
        return Optional.of(context.part(inherited(event)));
    }

    /** What the events that follow from an event take over from it. */
    private static Metadata inherited(EventMessage event) {
        Metadata metadata = event.metadata();
        return metadata.correlationId().isPresent()
                ? metadata.withCausationId(event.id().toString())
                : metadata.withCausationId(event.id().toString())
                        .withCorrelationId(event.id().toString());
    }

    private record TypedHandler<E>(Class<E> type, EventHandler<E> handler) {

        void handle(Payload payload, PayloadCodec codec, EventContext context) {
            handler.handle(codec.decode(payload, type), context);
        }
    }

    /** Collects the handlers of a component. */
    public static final class Builder {

        private final String name;
        private final Map<String, TypedHandler<?>> handlers = new HashMap<>();

        private Builder(String name) {
            this.name = Names.require("name of component", name);
        }

        public <E> Builder on(Class<E> eventType, EventHandler<E> handler) {
            String type = EventType.Of.name(eventType);
            if (handlers.put(type, new TypedHandler<>(eventType, handler)) != null) {
                throw new PermanentException(
                        "component " + name + " handles event type " + type + " twice; remove one");
            }
            return this;
        }

        public Component build() {
            return new Component(this);
        }
    }
}

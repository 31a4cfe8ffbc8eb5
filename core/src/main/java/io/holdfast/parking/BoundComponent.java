package io.holdfast.parking;

import io.holdfast.UserFailures;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.token.ComponentDefinition;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A component of a processor, with its stable id.
 *
 * @param queue the settings of its dead-letter queue
 * @param queueName {@code DeadLetterQueue[processor][component]}
 */
public record BoundComponent(Component component, String id, QueueSettings queue, String queueName) {

    /** @param inherited the settings of the processor and the service, which the component's own settings override */
    public static BoundComponent bind(Component component, String id, String queueName, QueueSettings inherited) {
        return new BoundComponent(component, id, component.deadLetters().resolve(queueName, inherited), queueName);
    }

    /** @see Component#wants */
    public boolean wants(EventMessage event) {
        return component.wants(event);
    }

    /**
     * Returns whether the component wants the event and has a handler for it. An event that cannot be upcast counts as
     * handled, so that it is parked.
     */
    public boolean handles(EventMessage event, PayloadCodec codec) {
        if (!wants(event)) {
            return false;
        }
        try {
            return component.handles(codec.upcast(event.payload()));
        } catch (Throwable e) {
            UserFailures.throwIfFatal(e);
            return true;
        }
    }

    /**
     * Returns what this version of the component handles.
     *
     * @param version the version of the service
     */
    public ComponentDefinition definition(PayloadCodec codec, String version) {
        Map<String, String> types = new TreeMap<>();
        component.handledTypes(codec).forEach(type -> types.put(type, version));
        Map<String, String> sagaTypes = new TreeMap<>();
        component.sagaTypes().forEach(type -> sagaTypes.put(type, version));
        return new ComponentDefinition(
                types,
                sagaTypes.isEmpty() ? Map.of(ComponentDefinition.ALL, version) : sagaTypes,
                component.isResettable(),
                component.callsOutside());
    }

    /**
     * Calls the handler of an event. Does nothing if the component does not want the event: a letter that only waited
     * for a version that wanted it.
     *
     * @return the stage that completes when the handler ends; null if it has ended already
     */
    @Nullable
    public CompletionStage<?> invoke(EventMessage event, PayloadCodec codec, EventContext context) throws Exception {
        return wants(event) ? component.invoke(event, codec, context) : null;
    }
}

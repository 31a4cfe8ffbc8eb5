package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.commit.Part;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import java.util.ArrayList;
import java.util.List;

/** The components of one processor, each under its stable id. */
final class Handlers {

    private final String prefix;
    private final List<Component> components;
    private final PayloadCodec codec;

    Handlers(String service, String processor, List<Component> components, PayloadCodec codec) {
        this.prefix = service + "/" + processor + "/";
        this.components = List.copyOf(components);
        this.codec = codec;
    }

    /** Hands an event to every component that handles its type. What one of them throws is thrown. */
    HandledEvent handle(EventMessage event) {
        if (event.payload().isWithoutContent()) {
            throw new PermanentException("the content of " + event.type() + " " + event.id() + " at position "
                    + event.position() + " of stream " + event.stream()
                    + " could not be carried by the wire; mend it at its source, service " + event.source());
        }
        List<Part> parts = new ArrayList<>();
        for (Component component : components) {
            component
                    .handle(event, prefix + component.name(), codec)
                    .filter(part -> !part.isEmpty())
                    .ifPresent(parts::add);
        }
        return new HandledEvent(event, parts);
    }
}

package io.holdfast.event;

import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings the JSON of an older revision into the shape of the next one, wherever an event is decoded: in folding,
 * handling, replay and display. What is stored is never changed.
 *
 * @param type the event type that it applies to
 * @param fromRevision the revision that it applies to; the result is one higher
 * @param newType the name of the type afterwards, the same unless the event was renamed
 * @param change a pure function; it may change its argument and return it
 */
public record Upcaster(String type, int fromRevision, String newType, UnaryOperator<ObjectNode> change) {

    public static Upcaster of(String type, int fromRevision, UnaryOperator<ObjectNode> change) {
        return new Upcaster(type, fromRevision, type, change);
    }
}

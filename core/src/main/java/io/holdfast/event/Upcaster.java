package io.holdfast.event;

import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts the JSON of an older revision to the next one, wherever an event is decoded: for folding, handling, replay
 * and display. Stored events never change.
 *
 * @param type the event type that it applies to
 * @param fromRevision the revision that it applies to; the result is one higher
 * @param newType the resulting type, the same unless the event was renamed
 * @param change a pure function; it may modify its argument and return it
 */
public record Upcaster(String type, int fromRevision, String newType, UnaryOperator<ObjectNode> change) {

    public static Upcaster of(String type, int fromRevision, UnaryOperator<ObjectNode> change) {
        return new Upcaster(type, fromRevision, type, change);
    }
}

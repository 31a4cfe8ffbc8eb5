package io.holdfast.processing.replay;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.token.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a segment has processed no event that comes after another one in its sequence. That can be proven for
 * the service's own streams if each key is a sequence.
 *
 * @param service the name of the service
 * @param log its log; null if there is none to read
 */
public record KeyOrder(String service, @Nullable EventLog log) {

    /** Returns false also if it cannot be proven. */
    boolean isLatest(EventMessage event, Token token) {
        EventLog own = log;
        StreamPosition reached = token.positions().get(event.stream());
        if (own == null || reached == null || !event.source().equals(service) || !isByKey(token)) {
            return false;
        }
        List<EventMessage> later = own.readKey(event.stream(), event.key(), event.version(), 1);
        return later.isEmpty() || (isAbove(later.get(0), reached) && !hasMarks(token, event.stream()));
    }

    private static boolean isByKey(Token token) {
        return token.setup().policy().equals(SequencingPolicy.streamAndKey().name());
    }

    private static boolean isAbove(EventMessage later, StreamPosition reached) {
        return later.position() > reached.position();
    }

    /** Events above the position may have been processed. */
    private static boolean hasMarks(Token token, String stream) {
        return token.marks().stream().anyMatch(mark -> mark.stream().equals(stream));
    }
}

package io.holdfast.processing.stream;

import io.holdfast.UserFailures;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.token.Segments;
import org.jspecify.annotations.Nullable;

/**
 * An event and the sequence that it belongs to.
 *
 * @param failure the exception that the policy threw for it; the event is then parked, alone in its sequence
 */
public record SequencedEvent(EventMessage event, String sequence, int hash, @Nullable Throwable failure) {

    public static SequencedEvent of(EventMessage event, SequencingPolicy policy) {
        String sequence;
        Throwable failure = null;
        try {
            sequence = new SequenceId("checked", policy.sequence().apply(event)).sequence();
        } catch (Throwable e) {
            failure = UserFailures.throwIfFatal(e);
            sequence = SequencingPolicy.ownSequence(event.id());
        }
        return new SequencedEvent(event, sequence, Segments.hash(sequence), failure);
    }

    public boolean belongsTo(int number, int mask) {
        return Segments.covers(hash, number, mask);
    }
}

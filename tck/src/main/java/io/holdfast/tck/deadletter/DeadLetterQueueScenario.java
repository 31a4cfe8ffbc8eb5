package io.holdfast.tck.deadletter;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import java.util.List;

/** Base of the kits for queues: the queues of two components of one processor. */
public abstract class DeadLetterQueueScenario extends DeadLetterKit {

    static final Cause BOOM = new Cause("Boom", "no luck", "at kit");

    /** Identifiers that a database may treat as equal. */
    static final List<String> ALIKE = List.of("a", "A", "a ", "a  ", " a", "ä", "a\u0308", "ß", "ss", "％", "%", "a_");

    final SequencedDeadLetterQueue queue() {
        return queue(COMPONENT, QueueLimits.DEFAULT);
    }

    final SequencedDeadLetterQueue otherQueue() {
        return queue(OTHER_COMPONENT, QueueLimits.DEFAULT);
    }

    final SequencedDeadLetterQueue queue(String component, QueueLimits limits) {
        return new SequencedDeadLetterQueue(
                letterStore(),
                SequencedDeadLetterQueue.name(CONSUMER, component),
                CONSUMER,
                component,
                limits,
                harness().clock());
    }

    final EventMessage event(String key, long position) {
        return fixture().event("notes", key, position);
    }

    static SequenceId id(String sequence) {
        return new SequenceId(COMPONENT, sequence);
    }

    final ParkedSequence sequence(String sequence) {
        return queue().find(sequence).orElseThrow();
    }

    final List<DeadLetter> letters(String sequence) {
        return letterStore().findLetters(id(sequence), 0, ALL);
    }

    final List<EventMessage> events(String sequence) {
        return letters(sequence).stream().map(DeadLetter::message).toList();
    }
}

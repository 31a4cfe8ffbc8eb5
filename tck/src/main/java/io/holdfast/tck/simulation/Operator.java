package io.holdfast.tck.simulation;

import io.holdfast.RetryableException;
import io.holdfast.commit.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.tck.harness.SimulatedCrash;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Changes parked letters as an operator does, at any replica, whether or not that replica owns the segment. */
final class Operator {

    private final World world;
    private final DeadLetterStore letters;

    Operator(World world) {
        this.world = world;
        this.letters = world.sink.store().deadLetterStore();
    }

    /** Evicts a letter. Its event must have no effect afterwards, unless it had taken effect before. */
    void evict(SinkReplica replica, String component, int which) {
        onLetter(replica, component, which, (queue, letter) -> {
            try {
                if (queue.evict(letter)) {
                    recordEvicted(queue.component(), letter.message().id());
                }
            } catch (RetryableException | SimulatedCrash e) {
                world.abandoned.recordPossible(
                        queue.component(), letter.message().id());
                throw e;
            }
        });
    }

    /** An event that was parked again may have taken effect before, but perhaps not in this generation. */
    private void recordEvicted(String component, UUID event) {
        if (world.reparked.contains(new PartId(event, component))) {
            world.abandoned.recordPossible(component, event);
        } else {
            world.abandoned.recordCertain(component, event, world.generation());
        }
    }

    /** Adds a diagnostic to a letter. */
    void requeue(SinkReplica replica, String component, int which) {
        onLetter(
                replica,
                component,
                which,
                (queue, letter) -> queue.requeue(letter, found -> found.withDiagnostics(Map.of("seen", "yes"))));
    }

    /** Parks an event of the same sequence that was already handled. It must not take effect twice. */
    void enqueueAgain(SinkReplica replica, String component, int which) {
        onLetter(replica, component, which, (queue, letter) -> {
            Optional<EventMessage> applied = appliedBefore(component, letter.message());
            applied.ifPresent(event -> {
                world.reparked.add(new PartId(event.id(), queue.component()));
                queue.enqueueIfPresent(letter.sequence().sequence(), () -> event);
            });
        });
    }

    private Optional<EventMessage> appliedBefore(String component, EventMessage parked) {
        List<String> copied = FinalInvariants.copied(world.sinkEvents(), component);
        return world.sourceEvents().stream()
                .filter(event -> event.stream().equals(parked.stream()))
                .filter(event -> event.key().equals(parked.key()))
                .filter(event -> copied.contains(event.id().toString()))
                .findFirst();
    }

    private void onLetter(SinkReplica replica, String component, int which, LetterAction work) {
        if (!replica.knows(component)) {
            return;
        }
        SequencedDeadLetterQueue queue = replica.queue(component);
        List<ParkedSequence> sequences = letters.findByAge(queue.component(), null, Integer.MAX_VALUE);
        if (sequences.isEmpty()) {
            return;
        }
        List<DeadLetter> parked = letters.findLetters(oneOf(which, sequences).id(), 0, Integer.MAX_VALUE);
        try {
            work.apply(queue, oneOf(which / sequences.size(), parked));
        } catch (RetryableException | DeadLetterQueueOverflowException e) {
            // the caller gets the error and may or may not retry
        }
    }

    private static <T> T oneOf(int which, List<T> values) {
        return values.get(which % values.size());
    }

    /** An action on a letter. */
    private interface LetterAction {
        void apply(SequencedDeadLetterQueue queue, DeadLetter letter);
    }
}

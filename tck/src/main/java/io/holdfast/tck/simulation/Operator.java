package io.holdfast.tck.simulation;

import io.holdfast.RetryableException;
import io.holdfast.commit.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.tck.SimulatedCrash;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The person who looks after what is parked, at any replica, whether that has the segment or not. */
final class Operator {

    private final World world;
    private final DeadLetterStore letters;

    Operator(World world) {
        this.world = world;
        this.letters = world.sink.store().deadLetterStore();
    }

    /** Gives up a letter, which must never have an effect from then on; it had one if it was dealt with before. */
    void evict(SinkReplica replica, String component, int which) {
        onLetter(replica, component, which, (queue, letter) -> {
            try {
                if (queue.evict(letter) && !isAlreadyApplied(queue, letter.message())) {
                    world.abandoned.recordCertain(
                            queue.component(), letter.message().id(), world.generation());
                }
            } catch (RetryableException | SimulatedCrash e) {
                world.abandoned.recordPossible(
                        queue.component(), letter.message().id());
                throw e;
            }
        });
    }

    private boolean isAlreadyApplied(SequencedDeadLetterQueue queue, EventMessage event) {
        return world.reparked.contains(new PartId(event.id(), queue.component()));
    }

    /** Notes something on a letter. */
    void requeue(SinkReplica replica, String component, int which) {
        onLetter(
                replica,
                component,
                which,
                (queue, letter) -> queue.requeue(letter, found -> found.withDiagnostics(Map.of("seen", "yes"))));
    }

    /** Parks an event again of the same sequence that was dealt with already, which must not have a second effect. */
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
        SequencedDeadLetterQueue queue = replica.queue(component);
        List<ParkedSequence> sequences = letters.findByAge(queue.component(), null, Integer.MAX_VALUE);
        if (sequences.isEmpty()) {
            return;
        }
        List<DeadLetter> parked = letters.findLetters(oneOf(which, sequences).id(), 0, Integer.MAX_VALUE);
        try {
            work.apply(queue, oneOf(which / sequences.size(), parked));
        } catch (RetryableException | DeadLetterQueueOverflowException e) {
            // whoever asked for it is told, and may or may not ask again
        }
    }

    private static <T> T oneOf(int which, List<T> values) {
        return values.get(which % values.size());
    }

    /** What is done to a letter. */
    private interface LetterAction {
        void apply(SequencedDeadLetterQueue queue, DeadLetter letter);
    }
}

package io.holdfast.tck.simulation;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.deadletter.EnqueuePolicy;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntSupplier;

/** The policy of all queues of the sink: says what it is told to say, and remembers what it has given up. */
final class ScriptedPolicy {

    /** What a policy can say. */
    enum Action {
        REQUEUE,
        IGNORE,
        ABANDON,
        THROW
    }

    private final AbandonedEvents discards;
    private final IntSupplier generation;
    private final Set<Kind> changeKinds = EnumSet.noneOf(Kind.class);
    private Action nextAction = Action.REQUEUE;
    private int remaining;

    /** @param generation of the processor, as it is stored */
    ScriptedPolicy(AbandonedEvents discards, IntSupplier generation) {
        this.discards = discards;
        this.generation = generation;
    }

    /** The next answers are these; all others keep the event. */
    void decideNext(Action newAnswer, int times) {
        nextAction = newAnswer;
        remaining = times;
    }

    /** From here on everything is kept. */
    void heal() {
        remaining = 0;
    }

    /** What has become of parked events in this world. */
    Set<Kind> changeKinds() {
        return changeKinds;
    }

    /** The judge as one replica asks it, and tells it what has become of its answers. */
    ReplicaPolicy forReplica() {
        return new ReplicaPolicy();
    }

    final class ReplicaPolicy implements EnqueuePolicy {

        private final Map<UUID, Integer> decidedInGeneration = new HashMap<>();

        @Override
        public EnqueueDecision decide(DeadLetter letter, Throwable cause) {
            if (remaining == 0) {
                return Decisions.enqueue(cause);
            }
            remaining--;
            return switch (nextAction) {
                case REQUEUE -> Decisions.requeue(cause, before -> Map.of("asked", before.diagnostics() + "again"));
                case IGNORE -> Decisions.ignore();
                case ABANDON -> {
                    discards.recordPossible(
                            letter.sequence().component(), letter.message().id());
                    decidedInGeneration.put(letter.message().id(), generation.getAsInt());
                    yield letter.cause() == null ? Decisions.doNotEnqueue() : Decisions.evict();
                }
                case THROW -> throw new IllegalStateException("a policy fails, as told");
            };
        }

        /** It is certain only if there was no reset since the judge was asked. */
        void onChange(DeadLetterChange change) {
            changeKinds.add(change.kind());
            if (change.kind() == Kind.SKIPPED || change.kind() == Kind.EVICTED) {
                UUID event = Objects.requireNonNull(change.letter()).message().id();
                int now = generation.getAsInt();
                if (decidedInGeneration.getOrDefault(event, 0) == now) {
                    discards.recordCertain(change.sequence().component(), event, now);
                }
            }
        }
    }
}

package io.holdfast.tck.simulation;

import io.holdfast.commit.group.PartId;
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

/**
 * The enqueue policy of all queues of the sink. It returns scripted decisions and records the events that it abandons.
 */
final class ScriptedPolicy {

    /** A decision that the policy can be scripted to return. */
    enum Action {
        REQUEUE,
        IGNORE,
        ABANDON,
        THROW
    }

    private final AbandonedEvents abandoned;
    private final IntSupplier generation;
    private final VersionInvariants versionInvariants;
    private final Set<PartId> reparked;
    private final Set<Kind> changeKinds = EnumSet.noneOf(Kind.class);
    private Action nextAction = Action.REQUEUE;
    private int remaining;

    /**
     * @param generation the stored generation of the processor
     * @param reparked events that were parked again after they had taken effect
     */
    ScriptedPolicy(
            AbandonedEvents abandoned,
            IntSupplier generation,
            VersionInvariants versionInvariants,
            Set<PartId> reparked) {
        this.reparked = reparked;
        this.versionInvariants = versionInvariants;
        this.abandoned = abandoned;
        this.generation = generation;
    }

    /** Scripts the next decisions. All others enqueue the event. */
    void decideNext(Action action, int times) {
        nextAction = action;
        remaining = times;
    }

    /** Enqueues everything from now on. */
    void heal() {
        remaining = 0;
    }

    /** Returns the kinds of changes that parked events have gone through in this world. */
    Set<Kind> changeKinds() {
        return changeKinds;
    }

    /** Returns the policy of one replica, which also observes the changes that follow from its decisions. */
    ReplicaPolicy forReplica(SinkVersion version) {
        return new ReplicaPolicy(version);
    }

    private Moment now() {
        return new Moment(generation.getAsInt(), abandoned.failovers());
    }

    private record Moment(int generation, int failovers) {}

    final class ReplicaPolicy implements EnqueuePolicy {

        private final Map<UUID, Moment> decided = new HashMap<>();
        private final SinkVersion version;

        private ReplicaPolicy(SinkVersion version) {
            this.version = version;
        }

        @Override
        public EnqueueDecision decide(DeadLetter letter, Throwable cause) {
            versionInvariants.onDecision(version, letter);
            if (remaining == 0) {
                return Decisions.enqueue(cause);
            }
            remaining--;
            return switch (nextAction) {
                case REQUEUE -> Decisions.requeue(cause, before -> Map.of("decided", before.diagnostics() + "again"));
                case IGNORE -> Decisions.ignore();
                case ABANDON -> {
                    abandoned.recordPossible(
                            letter.sequence().component(), letter.message().id());
                    decided.put(letter.message().id(), now());
                    yield letter.cause() == null ? Decisions.doNotEnqueue() : Decisions.evict();
                }
                case THROW -> throw new IllegalStateException("scripted failure of the policy");
            };
        }

        /** Records an event as certainly abandoned, unless a reset or a failover since the decision has undone it. */
        void onChange(DeadLetterChange change) {
            changeKinds.add(change.kind());
            versionInvariants.onChange(version, change);
            if (change.kind() == Kind.SKIPPED || change.kind() == Kind.EVICTED) {
                UUID event = Objects.requireNonNull(change.letter()).message().id();
                String component = change.sequence().component();
                boolean isAlreadyApplied = reparked.contains(new PartId(event, component));
                if (now().equals(decided.get(event)) && !isAlreadyApplied) {
                    abandoned.recordCertain(component, event, now().generation());
                }
            }
        }
    }
}

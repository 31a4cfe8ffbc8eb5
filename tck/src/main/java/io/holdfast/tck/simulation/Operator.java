package io.holdfast.tck.simulation;

import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.LetterItem;
import io.holdfast.action.OperationItem;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StagedActions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Changes parked letters as an operator does, at any replica, whether or not that replica owns the segment. */
final class Operator {

    private static final int MAX_SELECTED = 5;

    private final World world;
    private final DeadLetterStore letters;
    private final List<LetterItem> discarded = new ArrayList<>();

    Operator(World world) {
        this.world = world;
        this.letters = world.sink.store().deadLetterStore();
    }

    /** Evicts a letter. Its event must have no effect afterwards, unless it had taken effect before. */
    void evict(SinkReplica replica, String component, int which) {
        onLetter(replica, component, which, (queue, letter) -> {
            discarded.add(item(letter));
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

    private void recordDiscarded(DeadLetter letter) {
        world.abandoned.recordPossible(
                letter.sequence().component(), letter.message().id());
        discarded.add(item(letter));
    }

    /** An event that was parked again may have taken effect before, but perhaps not in this generation. */
    private void recordEvicted(String component, UUID event) {
        if (world.reparked.contains(new PartId(event, component))) {
            world.abandoned.recordPossible(component, event);
        } else {
            world.abandoned.recordCertain(component, event, world.generation());
        }
    }

    void replay(SinkReplica replica, String component, int which) {
        onLetter(replica, component, which, (queue, letter) -> stage(replica, Kind.REPLAY, letter));
    }

    /** Its event may have taken effect before the owner removes the letter. */
    void discard(SinkReplica replica, String component, int which) {
        onLetter(replica, component, which, (queue, letter) -> {
            recordDiscarded(letter);
            stage(replica, Kind.DISCARD, letter);
        });
    }

    /** Its letters may be of several sequences, and of the same one. */
    void replaySeveral(SinkReplica replica, String component, int which) {
        onLetters(replica, component, which, letters -> stage(replica, Kind.REPLAY, letters));
    }

    void discardSeveral(SinkReplica replica, String component, int which) {
        onLetters(replica, component, which, letters -> {
            letters.forEach(this::recordDiscarded);
            stage(replica, Kind.DISCARD, letters);
        });
    }

    /** Refused unless the order is provable. The event may have an effect again. */
    void restore(SinkReplica replica, int which) {
        if (!discarded.isEmpty()) {
            LetterItem item = discarded.get(discarded.size() - 1 - which % discarded.size()); // mostly the newest
            world.restored.add(new PartId(item.event(), item.component()));
            world.abandoned.recordUncertain(item.component(), item.event());
            unlessUnavailable(() -> stage(replica, Kind.RESTORE, item));
        }
    }

    private void onLetters(SinkReplica replica, String component, int which, Consumer<List<DeadLetter>> work) {
        List<DeadLetter> all = letters.findByAge(SinkReplica.id(component), null, Integer.MAX_VALUE).stream()
                .flatMap(sequence -> letters.findLetters(sequence.id(), Long.MIN_VALUE, Integer.MAX_VALUE).stream())
                .toList();
        if (!all.isEmpty() && replica.knows(component)) {
            int first = which % all.size();
            List<DeadLetter> selected = all.subList(first, Math.min(all.size(), first + MAX_SELECTED));
            unlessUnavailable(() -> work.accept(selected));
        }
    }

    private void stage(SinkReplica replica, Kind kind, List<DeadLetter> selected) {
        String id = nextAction();
        replica.stage(Action.of(
                id,
                kind,
                id,
                id,
                StagedActions.ANA,
                selected.stream().map(this::item).toList()));
    }

    /** Stages a reset, which either replica may run. */
    void reset(SinkReplica replica) {
        String id = nextAction();
        OperationItem processor = new OperationItem("processor", SinkReplica.PROCESSOR);
        unlessUnavailable(
                () -> replica.stage(Action.of(id, Kind.RESET, id, id, StagedActions.ANA, List.of(processor))));
    }

    /** What has not started has no effect afterwards. */
    void stop(SinkReplica replica, int which) {
        if (world.actions > 0) {
            unlessUnavailable(() -> replica.stopAction("action-" + (1 + which % world.actions)));
        }
    }

    /** Otherwise the caller gets the error and may or may not retry. */
    private static void unlessUnavailable(Runnable work) {
        try {
            work.run();
        } catch (RetryableException e) {
            // the action may have been staged
        }
    }

    private String nextAction() {
        return "action-" + ++world.actions;
    }

    void replayTooLate(SinkReplica replica, String component, int which) {
        onLetter(replica, component, which, (queue, letter) -> {
            world.abandoned.recordPossible(queue.component(), letter.message().id());
            LetterItem item = item(letter);
            queue.evict(letter);
            stage(replica, Kind.REPLAY, item);
        });
    }

    private void stage(SinkReplica replica, Kind kind, DeadLetter letter) {
        stage(replica, kind, item(letter));
    }

    private void stage(SinkReplica replica, Kind kind, LetterItem item) {
        String id = nextAction();
        replica.stage(Action.of(id, kind, id, id, StagedActions.ANA, List.of(item)));
    }

    private LetterItem item(DeadLetter letter) {
        return LetterItem.of(letter, letters.find(letter.sequence()).orElseThrow());
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

    /** Follows the instructions that a replica reports for the streams that it has stopped reading. */
    void acceptRestores(SinkReplica replica) {
        if (replica.isOperating()) {
            return;
        }
        replica.stoppedStreams().forEach((reader, reason) -> {
            if (reason.contains("raise the source's epoch")) {
                world.source.store().commitStore().raiseEpoch();
            } else {
                SinkReplica.STREAMS.stream()
                        .filter(reader::startsWith)
                        .forEach(stream -> acceptRestore(replica, stream));
            }
        });
    }

    /** Determines the position of the loss only if neither the source nor the replica knows it. */
    private void acceptRestore(SinkReplica replica, String stream) {
        record(replica, replica.acceptRestore(stream, null), failure -> {
            if (String.valueOf(failure.getMessage()).contains("Determine the position")) {
                Set<StreamPosition> reached = world.segments().stream()
                        .map(token -> Objects.requireNonNull(token.positions().get(stream)))
                        .collect(Collectors.toSet());
                long position = world.failovers.commonPosition(reached);
                record(replica, replica.acceptRestore(stream, position), unused -> {});
            }
        });
    }

    private void record(SinkReplica replica, CompletableFuture<AcceptedRestore> result, Consumer<Throwable> onFailure) {
        var unused = result.whenComplete((accepted, failure) -> {
            if (failure == null) {
                world.failovers.accepted(accepted, replica.owner());
            } else {
                onFailure.accept(failure);
            }
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
        List<DeadLetter> parked = letters.findLetters(oneOf(which, sequences).id(), Long.MIN_VALUE, Integer.MAX_VALUE);
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

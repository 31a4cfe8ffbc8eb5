package io.holdfast.processing.replay;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.deadletter.DeadLetterQueueOverflowException;
import io.holdfast.deadletter.LetterEdit;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterRemoval;
import io.holdfast.deadletter.LetterRestoration;
import io.holdfast.deadletter.RepairResult;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.processing.segment.LetterRepair;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.token.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Discards, restores and edits letters: in a unit of their segment, or directly if no segment of this replica can. The change
 * settles its item in the same transaction. What is refused is settled in the next step. Used by the coordinator's thread
 * only.
 */
final class OperatorRepairs {

    private final ProcessorContext context;
    private final Function<String, SequencedDeadLetterQueue> queues;
    private final KeyOrder order;
    private final Runnable onSettled;
    private final Set<OpenItem> running = new HashSet<>();
    private final Map<OpenItem, String> refused = new LinkedHashMap<>();
    private final List<OpenItem> unknown = new ArrayList<>();

    /**
     * @param queues the queues by the id of their component
     * @param onSettled called when items may have been settled
     */
    OperatorRepairs(
            ProcessorContext context,
            Function<String, SequencedDeadLetterQueue> queues,
            KeyOrder order,
            Runnable onSettled) {
        this.context = context;
        this.queues = queues;
        this.order = order;
        this.onSettled = onSettled;
    }

    static boolean isRepair(OpenItem item) {
        return item.kind() == Kind.DISCARD || item.kind() == Kind.RESTORE || item.kind() == Kind.EDIT;
    }

    boolean isRunning(OpenItem item) {
        return running.contains(item) || unknown.contains(item) || refused.containsKey(item);
    }

    /** Settles what was refused, and changes what no segment loads: of a component that this version lacks, for example. */
    void step() {
        Map.copyOf(refused).forEach((item, detail) -> {
            refuse(item, detail);
            refused.remove(item);
        });
        List.copyOf(unknown).forEach(item -> {
            runDirectly(item);
            unknown.remove(item);
        });
    }

    private void refuse(OpenItem item, String detail) {
        actions().settle(List.of(item), Outcome.REFUSED, detail, context.replica());
        onSettled.run();
    }

    /** Makes the change in a unit of the worker's segment. */
    void run(OpenItem item, SegmentWorker worker) {
        if (worker.isReplayRequested(item.letter().sequence())) {
            refuse(item, LetterOutcome.BEING_REPLAYED); // at once, before the replay settles it
            return;
        }
        Repair repair = repair(item);
        boolean needsNoSequence = item.kind() == Kind.RESTORE;
        running.add(item);
        worker.repair(new LetterRepair(
                item.letter().sequence(),
                item.letter().event(),
                needsNoSequence,
                repair::apply,
                result -> onCompleted(item, result),
                () -> {
                    running.remove(item);
                    unknown.add(item);
                }));
    }

    private void onCompleted(OpenItem item, RepairResult result) {
        running.remove(item);
        if (result.refusal() != null) {
            refused.put(item, result.refusal());
        }
        onSettled.run();
    }

    /** Makes the change without a unit: the processor is paused, or no segment here loads the letter. */
    void runDirectly(OpenItem item) {
        Repair repair = repair(item);
        try {
            onCompleted(
                    item,
                    queues.apply(item.letter().component())
                            .repair(item.letter().event(), parked -> repair.apply(parked, null)));
        } catch (DeadLetterQueueOverflowException e) {
            refused.put(item, LetterOutcome.QUEUE_FULL);
        }
    }

    /** A change of one letter. Without the token of its segment, less is known about the order. */
    private interface Repair {
        RepairResult apply(LetterReads parked, @Nullable Token token);
    }

    /** Reads what the change needs besides letters: no connection may be used while the head row is locked. */
    private Repair repair(OpenItem item) {
        return switch (item.kind()) {
            case RESTORE -> restore(item);
            case EDIT -> edit(item);
            default -> discard(item);
        };
    }

    private Repair edit(OpenItem item) {
        Map<String, String> options = options(item);
        LetterEdit edit = new LetterEdit(
                item.action(),
                item.letter().component(),
                item.letter().event(),
                options.getOrDefault(Action.PAYLOAD, ""),
                options.get(Action.EXPECTED_VERSION),
                Boolean.parseBoolean(options.get(Action.REPLAYS)));
        return (parked, token) -> edit.apply(parked, context.now());
    }

    private Repair discard(OpenItem item) {
        return (parked, token) -> parked.findLetter(
                        item.letter().component(), item.letter().event())
                .flatMap(letter -> parked.find(letter.sequence())
                        .map(sequence -> LetterRemoval.of(parked, sequence, letter, null, context.now())))
                .orElse(RepairResult.NOTHING);
    }

    private Repair restore(OpenItem item) {
        String component = item.letter().component();
        ResolvedLetter resolved = actions()
                .findResolved(component, item.letter().event())
                .filter(letter -> letter.status() == ResolvedLetter.Status.DISCARDED)
                .orElse(null);
        if (resolved == null) {
            return (parked, token) -> RepairResult.refused(LetterOutcome.NOT_DISCARDED);
        }
        LetterRestoration restoration = new LetterRestoration(
                resolved,
                item.letter().hash(),
                Boolean.parseBoolean(options(item).get(Action.FORCE)),
                context.handlers().component(component).queue().effectiveLimits());
        var counts = context.stores().letters().counts(component);
        return (parked, token) -> restoration.apply(
                parked,
                counts,
                token != null && order.isLatest(resolved.letter().message(), token),
                context.now());
    }

    private Map<String, String> options(OpenItem item) {
        return actions().find(List.of(item.action())).get(0).options();
    }

    private ActionStore actions() {
        return context.stores().actions();
    }
}

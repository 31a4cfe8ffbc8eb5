package io.holdfast.processing.replay;

import io.holdfast.RetryableException;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentClaims;
import io.holdfast.processing.segment.SegmentWorker;
import io.holdfast.processing.segment.SequenceReplay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Runs the staged actions on letters of a processor, at the replica that has claimed their segments. The units that
 * attempt or remove the letters settle the items. An item that is still open afterwards, for example because the segment
 * was lost, is found again by the next poll, here or at the next owner. Used by the coordinator's thread only.
 */
final class SegmentActions {

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final OpenItems openItems;
    private final OperatorRepairs repairs;
    private final Runnable onSettled;
    private final Set<OpenItem> running = new HashSet<>();
    private final List<OpenItem> blocked = new ArrayList<>();

    /** @param onSettled called when items may have been settled */
    SegmentActions(
            ProcessorContext context,
            SegmentClaims claims,
            OpenItems openItems,
            OperatorRepairs repairs,
            Runnable onSettled) {
        this.context = context;
        this.claims = claims;
        this.openItems = openItems;
        this.repairs = repairs;
        this.onSettled = onSettled;
    }

    /** Starts what was staged. If the store is unavailable, the items are found again later. */
    void step() {
        try {
            settleBlocked();
            repairs.step();
            List<OpenItem> startable = startable(openItems.poll(context.processor()).stream()
                    .filter(item -> worker(item).isPresent())
                    .toList());
            startable.stream()
                    .filter(item -> item.kind() == Kind.REPLAY)
                    .collect(bySequence())
                    .forEach(this::replay);
            startable.stream().filter(OperatorRepairs::isRepair).forEach(item -> worker(item)
                    .ifPresent(worker -> repairs.run(item, worker)));
        } catch (RetryableException e) {
            openItems.requestPoll();
        }
    }

    /**
     * Changes letters without a unit, because the processor is paused: nothing runs that this could reject. Replays wait
     * until the processor is resumed.
     */
    void stepWhilePaused() {
        try {
            repairs.step();
            startable(openItems.poll(context.processor())).stream()
                    .filter(OperatorRepairs::isRepair)
                    .forEach(repairs::runDirectly);
        } catch (RetryableException e) {
            openItems.requestPoll();
        }
    }

    private static Collector<OpenItem, ?, Map<SequenceId, List<OpenItem>>> bySequence() {
        return Collectors.groupingBy(item -> item.letter().sequence(), LinkedHashMap::new, Collectors.toList());
    }

    private Optional<SegmentWorker> worker(OpenItem item) {
        return claims.workers().stream()
                .filter(worker -> worker.covers(item.letter().hash()))
                .filter(worker -> !worker.isLost() && !worker.isStopping())
                .findFirst();
    }

    /** Reads the items again: they may have been settled after the poll, and must not run twice. */
    private List<OpenItem> stillOpen(List<OpenItem> polled) {
        List<OpenItem> fresh = polled.stream()
                .filter(item -> !item.isExpired() && !running.contains(item) && !repairs.isRunning(item))
                .toList();
        return fresh.isEmpty() ? fresh : actions().retainOpen(fresh);
    }

    /** Settles the items whose letters were removed before they were staged, and returns the others that are open. */
    private List<OpenItem> startable(List<OpenItem> polled) {
        List<OpenItem> items = stillOpen(polled);
        List<OpenItem> removed = items.stream()
                .filter(SegmentActions::needsLetter)
                .filter(item -> letter(item).isEmpty())
                .toList();
        if (!removed.isEmpty()) {
            actions().settleRemoved(removed, context.replica());
            onSettled.run();
        }
        return items.stream().filter(item -> !removed.contains(item)).toList();
    }

    private static boolean needsLetter(OpenItem item) {
        return item.kind() == Kind.REPLAY || item.kind() == Kind.DISCARD;
    }

    private Optional<DeadLetter> letter(OpenItem item) {
        return context.stores()
                .letters()
                .findLetter(item.letter().component(), item.letter().event());
    }

    private void replay(SequenceId sequence, List<OpenItem> items) {
        worker(items.get(0)).ifPresent(worker -> {
            running.addAll(items);
            worker.replay(new SequenceReplay(sequence, items.get(0).action(), outcome -> onReplayed(items, outcome)));
        });
    }

    /** Letters behind the one that failed again were not tried. */
    private void onReplayed(List<OpenItem> items, Optional<SequenceOutcome> outcome) {
        items.forEach(running::remove);
        outcome.filter(replayed -> !replayed.drained()).ifPresent(replayed -> {
            Set<UUID> settled =
                    replayed.letters().stream().map(LetterOutcome::event).collect(Collectors.toSet());
            items.stream()
                    .filter(item -> !settled.contains(item.letter().event()))
                    .forEach(blocked::add);
        });
        onSettled.run();
    }

    /** Settles in a step of its own: the replay's listener must not fail because the store is unavailable. */
    private void settleBlocked() {
        if (!blocked.isEmpty()) {
            actions().settle(blocked, Outcome.NOT_TRIED, LetterOutcome.BLOCKED, context.replica());
            blocked.clear();
            onSettled.run();
        }
    }

    private ActionStore actions() {
        return context.stores().actions();
    }
}

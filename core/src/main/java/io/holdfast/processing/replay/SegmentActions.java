package io.holdfast.processing.replay;

import io.holdfast.RetryableException;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.processing.segment.LetterDiscard;
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
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the staged actions on letters of a processor, at the replica that has claimed their segments. The units that
 * attempt or remove the letters settle the items. An item that is still open afterwards, for example because the segment
 * was lost, is found again by the next poll, here or at the next owner. Used by the coordinator's thread only.
 */
final class SegmentActions {

    private final ProcessorContext context;
    private final SegmentClaims claims;
    private final OpenItems openItems;
    private final Function<String, SequencedDeadLetterQueue> queues;
    private final Runnable onSettled;
    private final Set<OpenItem> running = new HashSet<>();
    private final List<OpenItem> blocked = new ArrayList<>();
    private final List<OpenItem> unknown = new ArrayList<>();

    /**
     * @param queues the queues by the id of their component
     * @param onSettled called when items may have been settled
     */
    SegmentActions(
            ProcessorContext context,
            SegmentClaims claims,
            OpenItems openItems,
            Function<String, SequencedDeadLetterQueue> queues,
            Runnable onSettled) {
        this.context = context;
        this.claims = claims;
        this.openItems = openItems;
        this.queues = queues;
        this.onSettled = onSettled;
    }

    /** Starts what was staged. If the store is unavailable, the items are found again later. */
    void step() {
        try {
            settleBlocked();
            discardUnknown();
            List<OpenItem> parked = parked(stillOpen(openItems.poll(context.processor()).stream()
                    .filter(item -> worker(item).isPresent())
                    .toList()));
            ofKind(Kind.REPLAY, parked).collect(bySequence()).forEach(this::replay);
            ofKind(Kind.DISCARD, parked).forEach(this::discard);
        } catch (RetryableException e) {
            openItems.requestPoll();
        }
    }

    /**
     * Discards letters without a unit, because the processor is paused: nothing runs that this could reject. Replays wait
     * until the processor is resumed.
     */
    void stepWhilePaused() {
        try {
            List<OpenItem> parked = parked(stillOpen(openItems.poll(context.processor())));
            ofKind(Kind.DISCARD, parked).forEach(this::discardDirectly);
        } catch (RetryableException e) {
            openItems.requestPoll();
        }
    }

    private static Stream<OpenItem> ofKind(Kind kind, List<OpenItem> items) {
        return items.stream().filter(item -> item.kind() == kind);
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
                .filter(item -> !item.isExpired() && !running.contains(item))
                .toList();
        return fresh.isEmpty() ? fresh : actions().retainOpen(fresh);
    }

    /** Settles the items whose letters were removed before they were staged, and returns the others. */
    private List<OpenItem> parked(List<OpenItem> items) {
        List<OpenItem> removed =
                items.stream().filter(item -> letter(item).isEmpty()).toList();
        if (!removed.isEmpty()) {
            actions().settleRemoved(removed, context.replica());
            onSettled.run();
        }
        return items.stream().filter(item -> !removed.contains(item)).toList();
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

    private void discard(OpenItem item) {
        SegmentWorker worker = worker(item).orElse(null);
        if (worker == null) {
            return;
        }
        if (worker.isReplayRequested(item.letter().sequence())) {
            actions().settle(List.of(item), Outcome.REFUSED, LetterOutcome.BEING_REPLAYED, context.replica());
            onSettled.run();
            return;
        }
        running.add(item);
        worker.discard(
                new LetterDiscard(item.letter().sequence(), item.letter().event(), () -> onDiscarded(item), () -> {
                    running.remove(item);
                    unknown.add(item);
                }));
    }

    private void onDiscarded(OpenItem item) {
        running.remove(item);
        onSettled.run();
    }

    /** Discards the letters that no segment loads: of a component that this version lacks, or just parked by code. */
    private void discardUnknown() {
        List.copyOf(unknown).forEach(item -> {
            discardDirectly(item);
            unknown.remove(item);
        });
    }

    private void discardDirectly(OpenItem item) {
        letter(item).ifPresent(letter -> queues.apply(item.letter().component()).discard(letter));
        onSettled.run();
    }

    private ActionStore actions() {
        return context.stores().actions();
    }
}

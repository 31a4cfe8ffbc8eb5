package io.holdfast.processing.replay;

import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Requester;
import io.holdfast.action.Staging;
import io.holdfast.action.execution.AwaitedReceipts;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventIds;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SequenceReplay;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replays sequences of segments that other replicas own: stages an action for each, which the owner runs, also if it dies
 * and another replica takes over. Used by the coordinator's thread only.
 */
final class StagedReplays {

    /** The maximum number of letters of a sequence whose outcomes are reported; those behind follow automatically. */
    private static final int MAX_LETTERS = 10_000;

    /** The coordinator has other work, too. */
    private static final int MAX_STAGED_PER_STEP = 50;

    private final ProcessorContext context;
    private final AwaitedReceipts receipts;
    private final Map<SequenceId, Requested> requested = new LinkedHashMap<>();

    StagedReplays(ProcessorContext context, AwaitedReceipts receipts) {
        this.context = context;
        this.receipts = receipts;
    }

    private static final class Requested {

        private final String action;
        private final SequenceReplay replay;
        private boolean staged;

        Requested(String action, SequenceReplay replay) {
            this.action = action;
            this.replay = replay;
        }
    }

    /** Requests a replay. Requests for the same sequence get the same outcome. */
    void request(SequenceId sequence, SequenceReplay replay) {
        Requested known = requested.get(sequence);
        if (known == null) {
            String action = EventIds.random(context.now()).toString(); // the same for every attempt to stage it
            requested.put(sequence, new Requested(action, replay));
        } else {
            known.replay.addListenersOf(replay);
        }
    }

    /** Stages what was requested. If the store is unavailable, or a letter is locked, the next step tries again. */
    void step() {
        List<Map.Entry<SequenceId, Requested>> waiting = requested.entrySet().stream()
                .filter(each -> !each.getValue().staged)
                .limit(MAX_STAGED_PER_STEP)
                .toList();
        try {
            waiting.forEach(each -> stage(each.getKey(), each.getValue()));
        } catch (RetryableException e) {
            return;
        }
    }

    private void stage(SequenceId sequence, Requested each) {
        List<LetterItem> letters = letters(sequence);
        if (letters.isEmpty()) {
            requested.remove(sequence);
            each.replay.complete(true);
            return;
        }
        Action action =
                Action.of(each.action, Kind.REPLAY, sequence.sequence(), sequence.toString(), Requester.CODE, letters);
        Staging staging = context.stores().actions().stage(action);
        if (staging instanceof Staging.Staged || staging instanceof Staging.Known) {
            each.staged = true;
            receipts.add(
                    each.action, Action.TIME_TO_LIVE.multipliedBy(2), receipt -> complete(sequence, each, receipt));
        }
    }

    private List<LetterItem> letters(SequenceId id) {
        ParkedSequence sequence = context.stores().letters().find(id).orElse(null);
        return sequence == null
                ? List.of()
                : context.stores().letters().findLetters(id, sequence.first(), MAX_LETTERS).stream()
                        .map(letter -> LetterItem.of(letter, sequence))
                        .toList();
    }

    private void complete(SequenceId sequence, Requested each, Optional<Receipt> found) {
        if (found.isEmpty()) {
            each.staged = false; // lost in a failover: it is staged again
            return;
        }
        List<LetterOutcome> outcomes;
        try {
            outcomes = outcomes(each.action);
        } catch (RetryableException e) {
            each.staged = false; // staging it again returns the receipt again
            return;
        }
        requested.remove(sequence);
        each.replay.add(outcomes);
        each.replay.complete(found.get().isDone()
                && outcomes.stream().allMatch(letter -> letter.outcome().removesLetter()));
    }

    private List<LetterOutcome> outcomes(String action) {
        return context.stores().actions().findItems(action, 0, MAX_LETTERS).stream()
                .flatMap(item -> item.letterOutcome().stream())
                .toList();
    }
}

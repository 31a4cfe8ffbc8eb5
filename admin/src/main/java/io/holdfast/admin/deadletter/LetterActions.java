package io.holdfast.admin.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Requester;
import io.holdfast.action.Staging;
import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stages actions on single letters and waits for their outcomes, which the store commits together with their effects.
 * Thread-safe.
 */
final class LetterActions {

    /** The operator of all actions, because there is no authentication yet. */
    private static final Requester ANONYMOUS = new Requester("anonymous", null, null, null);

    /** At least as many as an action in progress may have that code has staged for the letter's sequence. */
    private static final int MAX_ITEMS = 10_000;

    /** How much longer than the timeout to wait for the processor, which may not be running. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final ActionStore store;

    LetterActions(ActionStore store) {
        this.store = store;
    }

    /**
     * What became of a letter.
     *
     * @param kind the kind of the action that determined it, which another request may have staged before
     * @param outcome empty if the action has not completed within the timeout; it continues
     */
    record Result(Kind kind, Optional<LetterOutcome> outcome) {}

    /** Runs an action on a letter, or waits for the one in progress, unless that is a replay which forbids a discard. */
    Result run(Kind kind, EntryReference entry, DeadLetter letter, ParkedSequence sequence, Duration timeout) {
        String id = UUID.randomUUID().toString();
        Action action = Action.of(
                id,
                kind,
                entry.component().entryId(entry.event()),
                kind + " " + entry.event() + " " + entry.component().id(),
                ANONYMOUS,
                List.of(LetterItem.of(letter, sequence)));
        Staging staging = entry.component().processor().stage(action);
        if (staging instanceof Staging.InProgress other) {
            Receipt running = find(other.action());
            return kind == Kind.DISCARD && running.kind() == Kind.REPLAY
                    ? new Result(Kind.REPLAY, Optional.empty()) // rejected at once
                    : result(await(entry, other.action(), timeout), entry);
        }
        return result(await(entry, id, timeout), entry);
    }

    private Result result(Receipt receipt, EntryReference entry) {
        return new Result(
                receipt.kind(),
                store.findItems(receipt.action(), 0, MAX_ITEMS).stream()
                        .flatMap(item -> item.letterOutcome().stream())
                        .filter(outcome -> outcome.event().equals(entry.event()))
                        .findFirst());
    }

    private Receipt await(EntryReference entry, String action, Duration timeout) {
        try {
            return entry.component()
                    .processor()
                    .awaitReceipt(action, timeout)
                    .orTimeout(timeout.plus(MARGIN).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RetryableException lost) {
                throw lost;
            }
            if (e.getCause() instanceof TimeoutException) {
                return find(action);
            }
            throw new PermanentException("waiting for action " + action + " failed: " + e.getCause(), e);
        }
    }

    private Receipt find(String action) {
        return store.find(List.of(action)).stream()
                .findFirst()
                .orElseThrow(
                        () -> new RetryableException("the store has no action " + action + "; repeat the request"));
    }

    /** Returns how a letter was removed; empty if no operator was involved. */
    Optional<ResolvedLetter> findResolved(EntryReference entry) {
        return store.findResolved(entry.component().id(), entry.event());
    }
}

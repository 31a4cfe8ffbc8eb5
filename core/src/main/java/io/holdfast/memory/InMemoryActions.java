package io.holdfast.memory;

import io.holdfast.action.Action;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Staging;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.entry.Entry;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Actions with their items, and resolved letters. Guarded by its own monitor. */
final class InMemoryActions {

    private final Clock clock;
    private final Map<String, Receipt> receipts = new LinkedHashMap<>();
    private final Map<Letter, OpenItem> open = new LinkedHashMap<>();
    private final Map<Letter, ResolvedLetter> resolved = new LinkedHashMap<>();

    InMemoryActions(Clock clock) {
        this.clock = clock;
    }

    private record Letter(String component, UUID event) {

        static Letter of(Action.Item item) {
            return new Letter(item.component(), item.event());
        }

        static Letter of(LetterOutcome outcome) {
            return new Letter(outcome.component(), outcome.event());
        }
    }

    synchronized Staging stage(Action action) {
        Receipt known = receipts.get(action.id());
        if (known != null) {
            return known.requestHash().equals(action.requestHash())
                    ? new Staging.Known(known)
                    : new Staging.OtherRequest(known);
        }
        for (Action.Item item : action.items()) {
            OpenItem locked = open.get(Letter.of(item));
            if (locked != null) {
                return new Staging.InProgress(locked.action());
            }
        }
        Instant now = clock.instant();
        List<Receipt.Item> items = action.items().stream()
                .map(item -> new Receipt.Item(item, null, null))
                .toList();
        Receipt receipt = new Receipt(
                action.id(),
                action.kind(),
                action.requestHash(),
                action.operator(),
                now,
                now.plus(action.timeToLive()),
                items.size(),
                items);
        receipts.put(action.id(), receipt);
        for (int number = 0; number < items.size(); number++) {
            Action.Item item = action.items().get(number);
            open.put(Letter.of(item), new OpenItem(action.id(), number, action.kind(), item, false));
        }
        return new Staging.Staged(receipt);
    }

    synchronized List<Receipt> find(Collection<String> ids) {
        return ids.stream()
                .distinct()
                .flatMap(id -> Optional.ofNullable(receipts.get(id)).stream())
                .toList();
    }

    synchronized List<OpenItem> findOpen(int limit) {
        Instant now = clock.instant();
        return open.values().stream()
                .limit(limit)
                .map(item -> new OpenItem(
                        item.action(),
                        item.number(),
                        item.kind(),
                        item.item(),
                        !receipt(item).deadline().isAfter(now)))
                .toList();
    }

    private Receipt receipt(OpenItem item) {
        return Objects.requireNonNull(receipts.get(item.action()), "an open item has a receipt");
    }

    /** Settles an item, unless it is settled. */
    synchronized void settle(OpenItem item, LetterOutcome outcome) {
        if (!open.remove(Letter.of(item.item()), item)) {
            return;
        }
        Receipt before = receipt(item);
        List<Receipt.Item> items = new ArrayList<>(before.items());
        items.set(item.number(), new Receipt.Item(item.item(), outcome, clock.instant()));
        receipts.put(
                before.action(),
                new Receipt(
                        before.action(),
                        before.kind(),
                        before.requestHash(),
                        before.operator(),
                        before.requestedAt(),
                        before.deadline(),
                        before.selected(),
                        items));
    }

    /** Settles the items whose letters were attempted or removed, and records how letters were resolved. */
    synchronized void apply(LetterWrites writes) {
        List<ResolvedLetter> stored =
                writes.resolved().stream().map(this::stored).toList();
        for (LetterOutcome outcome : writes.outcomes()) {
            OpenItem item = open.get(Letter.of(outcome));
            if (item != null && isSettledBy(item, outcome.outcome())) {
                settle(item, outcome);
            }
            if (outcome.outcome().removesLetter()) {
                resolved.remove(Letter.of(outcome)); // of an earlier time when the event was parked
            }
        }
        stored.forEach(letter -> resolved.put(new Letter(letter.component(), letter.event()), letter));
    }

    private ResolvedLetter stored(ResolvedLetter letter) {
        OpenItem item = open.get(new Letter(letter.component(), letter.event()));
        return letter.settledBy(item == null ? null : item.action()).resolvedAt(clock.instant());
    }

    /** Returns all resolved letters that are listed. */
    synchronized List<Entry> entries() {
        return resolved.values().stream()
                .flatMap(letter -> Entry.of(letter).stream())
                .toList();
    }

    /** An attempt that leaves the letter parked does not settle the discard that waits for it. */
    private static boolean isSettledBy(OpenItem item, Outcome outcome) {
        return item.kind() == Action.Kind.REPLAY || outcome.removesLetter();
    }

    synchronized Optional<ResolvedLetter> findResolved(String component, UUID event) {
        return Optional.ofNullable(resolved.get(new Letter(component, event)));
    }

    synchronized int delete(Instant receiptsBefore, Instant resolvedBefore, int limit) {
        List<String> oldReceipts = receipts.values().stream()
                .filter(receipt -> receipt.isDone() && receipt.requestedAt().isBefore(receiptsBefore))
                .map(Receipt::action)
                .limit(limit)
                .toList();
        List<Letter> oldLetters = resolved.entrySet().stream()
                .filter(letter -> isBefore(letter.getValue(), resolvedBefore))
                .map(Map.Entry::getKey)
                .limit(limit)
                .toList();
        oldReceipts.forEach(receipts::remove);
        oldLetters.forEach(resolved::remove);
        return oldReceipts.size() + oldLetters.size();
    }

    private static boolean isBefore(ResolvedLetter letter, Instant time) {
        Instant at = letter.resolvedAt();
        return at != null && at.isBefore(time);
    }
}

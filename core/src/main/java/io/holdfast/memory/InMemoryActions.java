package io.holdfast.memory;

import io.holdfast.action.Action;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Receipt.Result;
import io.holdfast.action.ReceiptQuery;
import io.holdfast.action.Requester;
import io.holdfast.action.Settlement;
import io.holdfast.action.Staging;
import io.holdfast.deadletter.LetterOriginal;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.entry.Entry;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Actions with their items, and resolved letters. Guarded by its own monitor. Items are settled under the head lock, so
 * that a check of a unit still holds when the unit commits; only a settlement that is checked and applied together needs
 * no head.
 */
final class InMemoryActions {

    private static final Comparator<StoredAction> NEWEST_FIRST = Comparator.comparing(StoredAction::requestedAt)
            .thenComparing(stored -> stored.action().id())
            .reversed();

    private final Clock clock;
    private final Map<String, StoredAction> stored = new LinkedHashMap<>();
    private final Map<String, OpenItem> open = new LinkedHashMap<>();
    private final Map<Letter, ResolvedLetter> resolved = new LinkedHashMap<>();
    private final Map<Letter, List<LetterOriginal>> originals = new LinkedHashMap<>();

    InMemoryActions(Clock clock) {
        this.clock = clock;
    }

    private record Letter(String component, UUID event) {

        static Letter of(LetterOutcome outcome) {
            return new Letter(outcome.component(), outcome.event());
        }
    }

    synchronized Staging stage(Action action) {
        StoredAction known = stored.get(action.id());
        if (known != null) {
            return known.action().requestHash().equals(action.requestHash())
                    ? new Staging.Known(known.receipt())
                    : new Staging.OtherRequest(known.receipt());
        }
        for (Action.Item item : action.items()) {
            OpenItem locked = open.get(item.lock());
            if (locked != null) {
                return new Staging.InProgress(locked.action());
            }
        }
        Instant now = clock.instant();
        StoredAction staged = new StoredAction(action, now);
        stored.put(action.id(), staged);
        staged.openItems(now).forEach(item -> open.put(item.item().lock(), item));
        return new Staging.Staged(staged.receipt());
    }

    synchronized List<Receipt> find(Collection<String> ids) {
        return ids.stream()
                .distinct()
                .flatMap(id -> Stream.ofNullable(stored.get(id)))
                .map(StoredAction::receipt)
                .toList();
    }

    synchronized List<Receipt> find(ReceiptQuery query) {
        return stored.values().stream()
                .filter(each -> matches(query, each))
                .sorted(NEWEST_FIRST)
                .limit(query.limit())
                .map(StoredAction::receipt)
                .toList();
    }

    private static boolean matches(ReceiptQuery query, StoredAction each) {
        Action action = each.action();
        boolean selects = (query.component() == null && query.eventId() == null)
                || each.selects(query.component(), query.eventId());
        return selects
                && matches(query.operator(), action.requester().operator())
                && matches(query.kind(), action.kind())
                && matches(query.target(), action.target())
                && matches(query.open(), !each.isDone())
                && (query.from() == null || !each.requestedAt().isBefore(query.from()))
                && (query.to() == null || each.requestedAt().isBefore(query.to()))
                && (query.after() == null || isAfter(query.after(), each));
    }

    private static boolean matches(@Nullable Object wanted, Object found) {
        return wanted == null || wanted.equals(found);
    }

    private static boolean isAfter(ReceiptQuery.Cursor cursor, StoredAction each) {
        int time = each.requestedAt().compareTo(cursor.requestedAt());
        return time < 0 || (time == 0 && each.action().id().compareTo(cursor.action()) < 0);
    }

    synchronized List<Receipt.Item> findItems(String action, int from, int limit) {
        StoredAction found = stored.get(action);
        return found == null ? List.of() : found.items(from, limit);
    }

    /** Returns open items, those of operations first. */
    synchronized List<OpenItem> findOpen(Predicate<OpenItem> which, int limit) {
        Instant now = clock.instant();
        return open.values().stream()
                .map(item -> require(item).openItem(item.number(), now))
                .filter(which)
                .sorted(Comparator.comparing(OpenItem::isLetter))
                .limit(limit)
                .toList();
    }

    synchronized List<OpenItem> retainOpen(Collection<OpenItem> items) {
        Instant now = clock.instant();
        return items.stream()
                .filter(item -> isOpen(item.action(), item.number()))
                .filter(item -> !require(item).openItem(item.number(), now).isExpired())
                .toList();
    }

    synchronized boolean isOpen(String action, int number) {
        StoredAction found = stored.get(action);
        return found != null && found.isOpen(number);
    }

    private StoredAction require(OpenItem item) {
        return Objects.requireNonNull(stored.get(item.action()), "an open item has an action");
    }

    /** Settles an item, unless it is settled. */
    synchronized void settle(OpenItem item, LetterOutcome outcome, @Nullable String replica) {
        settle(item, result(outcome, replica));
    }

    /** Settles an item without an attempt, unless it is settled. */
    synchronized void settle(OpenItem item, Outcome outcome, @Nullable String detail, String replica) {
        settle(item, new Result(outcome, detail, null, 0, clock.instant(), replica));
    }

    private void settle(OpenItem item, Result result) {
        if (open.remove(item.item().lock(), item)) {
            StoredAction action = require(item);
            action.settle(item.number(), action.isEdited(item.number()) ? afterEdit(result) : result);
        }
    }

    /** If the replay of an edited letter is not tried, the letter is still edited. */
    private static Result afterEdit(Result result) {
        return result.outcome() == Outcome.NOT_TRIED
                ? new Result(
                        Outcome.EDITED,
                        result.detail(),
                        result.cause(),
                        result.appended(),
                        result.at(),
                        result.replica())
                : result;
    }

    private Result result(LetterOutcome outcome, @Nullable String replica) {
        return new Result(
                outcome.outcome(), outcome.detail(), outcome.cause(), outcome.appended(), clock.instant(), replica);
    }

    /**
     * Applies an effect and settles its item, or neither: if the effect is rejected, the item stays open.
     *
     * @param isApplied whether the result shows that the effect took place
     * @throws AlreadySettledException if the item is settled
     */
    synchronized <T> T settling(@Nullable Settlement settlement, Supplier<T> effect, Predicate<T> isApplied) {
        if (settlement == null) {
            return effect.get();
        }
        if (!isOpen(settlement.action(), settlement.item())) {
            throw new AlreadySettledException(settlement);
        }
        T result = effect.get();
        if (isApplied.test(result)) {
            apply(settlement);
        }
        return result;
    }

    /** Settles an item that is open. */
    synchronized void apply(Settlement settlement) {
        StoredAction action = Objects.requireNonNull(stored.get(settlement.action()), "the settlement was checked");
        settle(
                action.openItem(settlement.item(), clock.instant()),
                new Result(settlement.outcome(), settlement.detail(), null, 0, clock.instant(), settlement.replica()));
    }

    /** Adds letters that the operation has removed to its items. */
    synchronized void add(Settlement settlement, LetterItem letter, LetterOutcome outcome) {
        Objects.requireNonNull(stored.get(settlement.action()), "the settlement was checked")
                .add(letter, result(outcome, settlement.replica()));
    }

    /** Marks an action as stopped if it has open items, unless it was stopped before. */
    synchronized void stop(String id, Requester by) {
        StoredAction action = stored.get(id);
        if (action != null && !action.isDone() && !action.isStopped()) {
            action.stop(new Receipt.Stop(by, clock.instant()));
        }
    }

    synchronized boolean isStopped(OpenItem item) {
        return require(item).isStopped();
    }

    /** Settles the items whose letters were attempted or removed, and records how letters were resolved. */
    synchronized void apply(LetterWrites writes, @Nullable String replica) {
        List<ResolvedLetter> resolvedNow =
                writes.resolved().stream().map(this::stored).toList();
        for (LetterOutcome outcome : writes.outcomes()) {
            OpenItem item = open.get(LetterItem.lock(outcome.component(), outcome.event()));
            if (item != null && isSettledBy(item, outcome.outcome())) {
                settleOrReplay(item, outcome, replica);
            }
            if (outcome.outcome().removesLetter() || outcome.outcome() == Outcome.RESTORED) {
                resolved.remove(Letter.of(outcome)); // of an earlier time when the event was parked
            }
        }
        writes.originals().forEach(original -> originals
                .computeIfAbsent(new Letter(original.component(), original.event()), none -> new ArrayList<>())
                .add(original));
        resolvedNow.forEach(letter -> {
            resolved.put(new Letter(letter.component(), letter.event()), letter);
            countFollowing(letter);
        });
    }

    private void countFollowing(ResolvedLetter letter) {
        StoredAction action = letter.action() == null ? null : stored.get(letter.action());
        if (action != null && !action.selects(letter.component(), letter.event())) {
            action.countFollowing();
        }
    }

    private void settleOrReplay(OpenItem item, LetterOutcome outcome, @Nullable String replica) {
        if (outcome.isReplayedNext()) {
            StoredAction action = require(item);
            action.replay(item.number());
            open.put(item.item().lock(), action.openItem(item.number(), clock.instant()));
        } else {
            settle(item, outcome, replica);
        }
    }

    /** Returns the payloads that a letter had before each edit, oldest first. */
    synchronized List<LetterOriginal> originals(String component, UUID event) {
        return List.copyOf(originals.getOrDefault(new Letter(component, event), List.of()));
    }

    private ResolvedLetter stored(ResolvedLetter letter) {
        OpenItem item = open.get(LetterItem.lock(letter.component(), letter.event()));
        String action = item != null && item.kind().isSettledBy(letter.outcome().outcome()) ? item.action() : null;
        return letter.settledBy(action).resolvedAt(clock.instant());
    }

    /** Returns all resolved letters that are listed. */
    synchronized List<Entry> entries() {
        return resolved.values().stream()
                .flatMap(letter -> Entry.of(letter).stream())
                .toList();
    }

    private static boolean isSettledBy(OpenItem item, Outcome outcome) {
        return item.kind().isSettledBy(outcome);
    }

    synchronized Optional<ResolvedLetter> findResolved(String component, UUID event) {
        return Optional.ofNullable(resolved.get(new Letter(component, event)));
    }

    /** @return whether more may be left */
    synchronized boolean delete(Instant receiptsBefore, Instant resolvedBefore, int limit) {
        List<String> oldReceipts = stored.values().stream()
                .filter(action -> action.isDone() && action.requestedAt().isBefore(receiptsBefore))
                .map(action -> action.action().id())
                .limit(limit)
                .toList();
        List<Letter> oldLetters = resolved.entrySet().stream()
                .filter(letter -> isBefore(letter.getValue(), resolvedBefore))
                .map(Map.Entry::getKey)
                .limit(limit)
                .toList();
        oldReceipts.forEach(stored::remove);
        oldLetters.forEach(resolved::remove);
        oldLetters.forEach(originals::remove);
        return oldReceipts.size() >= limit || oldLetters.size() >= limit;
    }

    private static boolean isBefore(ResolvedLetter letter, Instant time) {
        Instant at = letter.resolvedAt();
        return at != null && at.isBefore(time);
    }
}
